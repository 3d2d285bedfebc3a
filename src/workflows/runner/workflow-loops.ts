/** The loops of one workflow type in a runner: one renews leases and reacts, another delivers messages. */
import { messageOf, SeineError } from '../../base/errors.ts';
import { startPollingLoop } from '../../base/polling-loop.ts';
import type { Database } from '../../db/database.ts';
import { type NotifyTopic, notifyRunners } from '../../events/event-notifier.ts';
import { UnsettledPause } from '../../events/unsettled-pause.ts';
import { syncChildren } from '../children/sync-children.ts';
import type { AnyWorkflow } from '../define.ts';
import { deliverDue } from '../messages/deliver.ts';
import { IsolatedDelivery } from '../messages/isolated-delivery.ts';
import { nextDue } from '../messages/message-store.ts';
import type { PartitionAssignment } from '../partitions/partition-assignment.ts';
import type { Reactor } from '../reactions/reactor.ts';
import type { CodeLock } from '../user-code/code-lock.ts';

export interface WorkflowLoopsOptions {
  readonly leaseMs: number;
  readonly pollMs: number;
  readonly say: (sentence: string) => void;
  /** Called after events were reacted to. */
  readonly onReacted: (events: number) => void;
  readonly onDelivered: (messages: number) => void;
  /** Called with the workflow types that have new messages. */
  readonly onMessagesSent: (workflows: ReadonlySet<string>) => void;
  readonly onActionsAdded: () => void;
  /** Called after workflows ended. */
  readonly onEnded: () => void;
  /** Excludes other user code of this process. */
  readonly lock: CodeLock;
  /** Called after a message that crashes the process was found. */
  readonly onCrasherParked: () => Promise<void>;
  /** Called when the runner can't continue. */
  readonly broken: (error: unknown) => void;
}

export interface WorkflowLoops {
  readonly name: string;
  /** Wakes the loops for a topic; null: for any. */
  wake(topic: NotifyTopic | null): void;
  stop(): Promise<void>;
}

const IDLE_ADVANCE_MS = 60_000;
const ERROR_PAUSE_MS = 1000;
const CONFLICT_PAUSE_MS = 20;

export function startWorkflowLoops(
  db: Database,
  workflow: AnyWorkflow,
  partitions: PartitionAssignment,
  reactor: Reactor,
  options: WorkflowLoopsOptions,
): WorkflowLoops {
  const { name } = workflow;
  const { leaseMs, pollMs, say, lock, onCrasherParked } = options;
  /** Leases are renewed between rounds. */
  const waitMs = leaseMs / 6;
  const isolatedDelivery = new IsolatedDelivery(db, workflow, { say, onCrasherParked });
  let lastSyncAt = Number.NEGATIVE_INFINITY;
  let lastIdleAdvanceAt = performance.now();
  /** The last round failed with an error that is neither an outage nor a conflict with another runner. */
  let failed = false;
  const unsettledPause = new UnsettledPause(pollMs);

  /** Renews and rebalances leases periodically, and when a runner joined or left. */
  async function syncPartitions(): Promise<void> {
    if (performance.now() - lastSyncAt < leaseMs / 3) return;
    lastSyncAt = performance.now();
    const { released } = await partitions.sync();
    if (released > 0) await notifyRunners(db, name, 'layout'); // other runners wait for the released slots
  }

  async function react(): Promise<number> {
    await syncPartitions();
    const mode = reactor.isCareful ? 'exclusive' : 'shared';
    const round = await lock.hold(mode, () => reactor.round(), waitMs);
    if (round === null) return 0;
    const { events, written, needNewer, isDrained = false, isUnsettled = false } = round;
    failed = false;
    if (needNewer > 0) lastSyncAt = Number.NEGATIVE_INFINITY; // a runner of that version may be running
    if (events > 0) options.onReacted(events);
    if (written.messagedWorkflows.size > 0) options.onMessagesSent(written.messagedWorkflows);
    if (written.actions > 0) options.onActionsAdded();
    if (written.ended > 0) options.onEnded();
    if (events > 0 && !isDrained) return 0;
    if (performance.now() - lastIdleAdvanceAt > IDLE_ADVANCE_MS) {
      lastIdleAdvanceAt = performance.now();
      await reactor.advanceIdle();
    }
    const pauseMs = pollMs * (0.75 + Math.random() / 2);
    return isUnsettled ? Math.min(unsettledPause.next(), pauseMs) : pauseMs;
  }

  /** A conflict with another runner, an outage, or a changed partitioning: nothing was written, and cached state is invalid. */
  async function recover(error: unknown): Promise<number> {
    const isOvertaken = error instanceof SeineError && error.kind === 'conflict';
    if (isOvertaken && !error.retry) options.broken(error);
    if (!isOvertaken) say(`${name}: ${messageOf(error)}`);
    failed = !(error instanceof SeineError);
    reactor.reset();
    lastSyncAt = Number.NEGATIVE_INFINITY;
    await partitions.reread().catch(() => {});
    return isOvertaken && error.retry ? CONFLICT_PAUSE_MS : ERROR_PAUSE_MS;
  }

  async function deliver(): Promise<number> {
    const { assigned } = partitions;
    if (assigned.parts.length > 0) {
      const synced = await syncChildren(db, workflow, assigned, (sentence) => say(`${name}: ${sentence}`));
      if (synced.children > 0) options.onEnded();
      if (synced.messagedWorkflows.size > 0) options.onMessagesSent(synced.messagedWorkflows);
      if (synced.children > 0) reacting.wake();
    }
    if (partitions.crashed.parts.length > 0) return deliverAlone();
    const due = assigned.parts.length > 0 ? await nextDue(db, workflow, assigned) : null;
    if (due !== 0) return Math.min(pollMs * (0.75 + Math.random() / 2), Math.max(due ?? pollMs, 5));
    const delivered = await lock.hold('shared', () => deliverDue(db, workflow, assigned, { say }), waitMs);
    if (delivered === null) return 0;
    if (delivered > 0) options.onDelivered(delivered);
    return delivered > 0 ? 0 : pollMs / 10; // another transaction has locked them
  }

  /** Messages that a crashed process may have been delivering come before all others. */
  async function deliverAlone(): Promise<number> {
    const { crashed } = partitions;
    const round = await lock.hold('exclusive', () => isolatedDelivery.round(crashed), waitMs);
    if (round === null) return 0;
    if (round.delivered > 0) options.onDelivered(round.delivered);
    if (round.isSafe) await partitions.declareSafe(crashed);
    return 0;
  }

  const reacting = startPollingLoop(`react to ${name}`, () => react().catch(recover));
  const sending = startPollingLoop(`deliver to ${name}`, () =>
    deliver().catch((error) => {
      if (!(error instanceof SeineError && error.retry)) say(`${name}: ${messageOf(error)}`);
      return pollMs;
    }),
  );
  return {
    name,
    wake: (topic) => {
      if (topic === 'layout') lastSyncAt = Number.NEGATIVE_INFINITY;
      unsettledPause.reset();
      if (topic !== 'messages') reacting.wake();
      if (topic !== 'events') sending.wake();
    },
    stop: async () => {
      await Promise.all([reacting.stop(), sending.stop()]);
      await partitions.releaseAll({ failed }).catch(() => {}); // the leases expire
    },
  };
}
