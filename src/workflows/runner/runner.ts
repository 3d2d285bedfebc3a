/**
 * A runner: one process that reacts to the events of its workflows, delivers their messages and runs their actions, together with as many
 * others as there are.
 *
 *   reactions    read the events of the partitions it holds (partition-assignment.ts), react (reactor.ts)
 *   messages     commands on their way to workflows of these partitions (messages/deliver.ts)
 *   projections  read models made of the events (projections/projection.ts): one runner each
 *   actions      of any partition: the runner with a free slot claims the next one (actions/run-actions.ts)
 *
 * A runner keeps no state that it can't lose: uncommitted work is repeated by the runner that takes over. NOTIFY is only a hint; polling guarantees
 * progress.
 */
import { startPollingLoop } from '../../base/polling-loop.ts';
import type { Database } from '../../db/database.ts';
import { startWorkerRegistration, type Worker } from '../../engine/workers/worker.ts';
import { removeStaleWorkers } from '../../engine/workers/worker-store.ts';
import { expireActionsOf } from '../actions/action-store.ts';
import type { Actions } from '../actions/actions-options.ts';
import { clearSuspects } from '../actions/claim-store.ts';
import { startActions } from '../actions/run-actions.ts';
import { assertOwnLog } from '../archive/renumber-log.ts';
import type { WorkflowRetention } from '../archive/retention.ts';
import type { AnyWorkflow } from '../define.ts';
import type { AssignedPartitions } from '../messages/message-store.ts';
import type { Partition } from '../partitions/partition.ts';
import { PartitionAssignment } from '../partitions/partition-assignment.ts';
import type { Projection } from '../projections/projection.ts';
import { type Projections, startProjections } from '../projections/run-projections.ts';
import { Reactor } from '../reactions/reactor.ts';
import { CodeLock } from '../user-code/code-lock.ts';
import { staleSnapshot } from '../versions/check-snapshots.ts';
import { checkRunnerOptions } from './check-options.ts';
import { type MaintenanceOptions, startMaintenance } from './maintenance.ts';
import { NotificationRouter } from './notification-router.ts';
import { startWatchdog } from './watchdog.ts';
import { startWorkflowLoops, type WorkflowLoops } from './workflow-loops.ts';

export interface RunnerOptions {
  readonly workflows: readonly AnyWorkflow[];
  /** Projections, each updated from the log by one of the runners that define it. */
  readonly projections?: readonly Projection[];
  /** One of a fixed number of partitions (default: slots). */
  readonly partition?: Partition | null;
  /** Lease duration of a partition or slot (10 s). */
  readonly leaseMs?: number;
  /** Maximum concurrent actions (32). */
  readonly actionsAtOnce?: number;
  /** Poll interval without notifications (1 s). */
  readonly pollMs?: number;
  /** Maximum events in one round (1,000). */
  readonly eventsAtOnce?: number;
  /** Failures at one event before its workflow is parked (5). */
  readonly parkAfter?: number;
  /** A blocked event loop ends the process after this time, so that other runners take over; null: never (null). */
  readonly endWhenBlockedMs?: number | null;
  readonly version?: string;
  /** How long ended workflows and actions are kept (default: forever). */
  readonly retention?: WorkflowRetention;
  readonly say?: (sentence: string) => void;
}

/** Counts since it started. */
export interface RunnerCounts {
  events: number;
  messages: number;
  actions: number;
}

export interface Runner {
  readonly id: string;
  readonly counts: Readonly<RunnerCounts>;
  /** How many partitions or slots of each workflow it holds now. */
  holds(): { readonly workflow: string; readonly parts: number; readonly total: number }[];
  /** The projections that this runner can update; excludes those that need newer code or another definition. */
  projections(): string[];
  /** Rejects when the runner can't continue, because the partitioning was changed. */
  readonly broken: Promise<never>;
  /** Stops gracefully: work in progress is finished, or released after `drainMs`. */
  stop(drainMs?: number): Promise<void>;
}

const DRAIN_MS = 30_000;
const KEEP_FOREVER: WorkflowRetention = { endedWorkflowsMs: null, commandIdsMs: null };
const MAX_STATES = 20_000;
/** A runner without a heartbeat for this many lease durations is removed; its leases expired long before. */
const STALE_AFTER_LEASES = 30;

export async function startRunner(db: Database, options: RunnerOptions): Promise<Runner> {
  const { workflows, leaseMs = 10_000, pollMs = 1000, endWhenBlockedMs = null } = options;
  await assertOwnLog(
    db,
    workflows.map(({ name }) => name),
  );
  checkRunnerOptions(options);
  const worker = await registerRunner(db, options, leaseMs);
  const stopWatching = endWhenBlockedMs === null ? async () => {} : await startWatchdog(endWhenBlockedMs);
  const router = new NotificationRouter(db);
  const counts: RunnerCounts = { events: 0, messages: 0, actions: 0 };
  const broken = Promise.withResolvers<never>();
  broken.promise.catch(() => {}); // handled where it is awaited; must not count as an unhandled rejection
  const shared = {
    ...options,
    leaseMs,
    pollMs,
    holder: worker.id,
    router,
    counts,
    lock: new CodeLock(),
    broken: broken.reject,
  };
  const actions = startActionLoop(db, shared);
  const started = workflows.map((workflow) => startWorkflow(db, workflow, shared));
  const loops = started.map(({ loop }) => loop);
  const projecting = startProjectionLoops(db, shared);
  router.connect(actions, loops, projecting);
  const stopListening = await router.listen();
  const removingStale = startPollingLoop('remove stale runners', async () => {
    await removeStaleWorkers(db, STALE_AFTER_LEASES * leaseMs).catch(() => {});
    return STALE_AFTER_LEASES * leaseMs;
  });
  const maintenance = startMaintenance(db, maintenanceOf(options, worker.id));
  await router.notifyPartitioning();
  const checking = checkSnapshots(db, options);
  return {
    id: worker.id,
    counts,
    holds: () => started.map(({ loop, partitions: { assigned } }) => holdingOf(loop.name, assigned)),
    projections: () => projecting.own(),
    broken: broken.promise,
    async stop(drainMs = DRAIN_MS) {
      await stopListening().catch(() => {});
      const others = [removingStale, maintenance, projecting, ...loops].map((part) => part.stop());
      await Promise.all([actions.stop(drainMs), checking, ...others]);
      await stopWatching();
      await worker.leave().catch(() => {});
      await router.notifyPartitioning();
    },
  };
}

function maintenanceOf(
  { workflows, retention = KEEP_FOREVER, say = () => {} }: RunnerOptions,
  holder: string,
): MaintenanceOptions {
  return { holder, workflows: workflows.map(({ name }) => name), retention, say };
}

/** Runs in the background: it only gives hints to developers, and its failures are ignored. */
async function checkSnapshots(db: Database, { workflows, say = () => {} }: RunnerOptions): Promise<void> {
  for (const workflow of workflows) {
    const stale = await staleSnapshot(db, workflow).catch(() => null);
    if (stale !== null) say(stale);
  }
}

interface RunnerContext extends RunnerOptions {
  readonly leaseMs: number;
  readonly pollMs: number;
  readonly holder: string;
  readonly router: NotificationRouter;
  readonly counts: RunnerCounts;
  readonly lock: CodeLock;
  readonly broken: (error: unknown) => void;
}

function registerRunner(
  db: Database,
  { version, workflows, partition }: RunnerOptions,
  leaseMs: number,
): Promise<Worker> {
  return startWorkerRegistration(db, {
    ...(version && { version }),
    role: 'workflows',
    workflows: workflows.map(({ name }) => name),
    workflowVersions: workflows.map((workflow) => workflow.version),
    partition: partition?.index ?? null,
    heartbeatMs: Math.min(2000, leaseMs / 4),
    onDeadWorker: expireActionsOf,
  });
}

function startActionLoop(db: Database, shared: RunnerContext): Actions {
  const {
    workflows,
    holder,
    leaseMs,
    pollMs,
    actionsAtOnce = 32,
    say = () => {},
    router,
    counts,
    lock,
  } = shared;
  return startActions(db, workflows, {
    lock,
    holder,
    leaseMs,
    pollMs,
    concurrency: actionsAtOnce,
    onError: say,
    ended: (_, ended) => {
      counts.actions += ended;
      router.notifyAll(
        'events',
        workflows.map(({ name }) => name),
      );
    },
    freed: (workflow) => router.notifyAll('actions', [workflow]),
  });
}

function startProjectionLoops(db: Database, shared: RunnerContext): Projections {
  const { projections = [], holder, leaseMs, pollMs, say = () => {}, lock } = shared;
  return startProjections(db, projections, { holder, leaseMs, pollMs, say, lock });
}

/** The loops and the partition assignment of one workflow type. */
function startWorkflow(
  db: Database,
  workflow: AnyWorkflow,
  shared: RunnerContext,
): { loop: WorkflowLoops; partitions: PartitionAssignment } {
  const { name } = workflow;
  const { holder, leaseMs, pollMs, partition = null, say = () => {}, router, counts, lock, broken } = shared;
  const partitions = new PartitionAssignment(db, {
    workflow: name,
    version: workflow.version,
    holder,
    ttlMs: leaseMs,
    partition,
  });
  const names = shared.workflows.map((one) => one.name);
  const onCrasherParked = async () => {
    if ((await clearSuspects(db, names).catch(() => 0)) > 0) router.notifyAll('actions', names);
  };
  const reactor = new Reactor(db, workflow, partitions, {
    maxEvents: shared.eventsAtOnce ?? 1000,
    parkAfter: shared.parkAfter ?? 5,
    maxStates: MAX_STATES,
    onCrasherParked,
    onParked: (id, error) => say(`${name} ${id} is parked: ${error}`),
  });
  const loop = startWorkflowLoops(db, workflow, partitions, reactor, {
    leaseMs,
    pollMs,
    say,
    lock,
    onCrasherParked,
    onReacted: (events) => {
      counts.events += events;
    },
    onDelivered: (messages) => {
      counts.messages += messages;
      router.notifyLocal('events', name); // for partitions held by this runner
    },
    onMessagesSent: (others) => router.notifyAll('messages', others),
    onEnded: () => router.notifyEnded(name),
    onActionsAdded: () => router.notifyAll('actions', [name]),
    broken,
  });
  return { loop, partitions };
}

function holdingOf(
  workflow: string,
  { parts, total }: AssignedPartitions,
): ReturnType<Runner['holds']>[number] {
  return { workflow, parts: parts.length, total };
}
