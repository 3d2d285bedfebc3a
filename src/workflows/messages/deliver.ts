/**
 * Delivers due messages: each becomes a command, and is deleted in the transaction that writes its effect, so it takes effect exactly once. Only the
 * holder of a workflow's partition delivers to it, in order.
 *
 *   read what is due ──▶ receive, decide ──▶ one transaction: lock the messages as they were read, append, remove
 *
 * User code runs between the transactions, so slow code holds no locks. Only messages that lost a conflict with other commands are decided again
 * within the transaction, with their workflows locked. A message that was changed meanwhile is not locked, and the decisions on it are discarded.
 *
 * Order: a failed message is retried with backoff, and until then no later message of its workflow is delivered. Once it is parked, the later ones
 * continue, as in a queue with dead letters; if it is retried by an operator, it comes after those delivered meanwhile.
 */
import { backoff } from '../../base/retry.ts';
import type { Database, Tx } from '../../db/database.ts';
import { sanitizeText } from '../../db/sanitize.ts';
import { writeWithBisection } from '../../db/write-with-bisection.ts';
import { recordStartResults } from '../children/sync-children.ts';
import { type Command, type CommandResult, EVENT_IGNORED } from '../commands/command.ts';
import {
  type AppendedWorkflow,
  type DecidedBatch,
  type DecideTimeLimits,
  decideBatch,
  describeCommand,
  type PendingAppend,
  type StateSource,
} from '../commands/decide-batch.ts';
import { appendBatch, notStored } from '../commands/handle.ts';
import type { AnyWorkflow } from '../define.ts';
import { load } from '../state/load.ts';
import { takeSnapshots } from '../state/snapshots.ts';
import { countDelivered, startCommands } from '../telemetry/spans.ts';
import { formatReport } from '../user-code/code-error.ts';
import { NewerVersionRequired } from '../versions/newer-version.ts';
import { lockWorkflowsById } from '../workflow-store.ts';
import { nextTime } from './cron.ts';
import { commandOf, describeMessage } from './message-command.ts';
import {
  type AssignedPartitions,
  type DueMessage,
  dueMessages,
  holdMessages,
  lockUnchanged,
  removeMessages,
  repeatTimer,
  retryMessage,
} from './message-store.ts';
import { type RejectedMessage, recordRejections } from './rejection-store.ts';

export interface DeliverOptions extends Partial<Omit<DecideTimeLimits, 'onSlow'>> {
  /** Failures of one message before it is parked (5). */
  readonly parkAfter?: number;
  readonly say?: (sentence: string) => void;
}

export const BATCH = 200;
export const PARK_AFTER = 5;
export const TIME_LIMITS = { budgetMs: 1000, slowMs: 1000, maxMs: 5000 };

/**
 * Returns the number of messages processed. Those that lost a conflict, or exceeded the time limit, stay due for the next round.
 */
export async function deliverDue(
  db: Database,
  workflow: AnyWorkflow,
  assigned: AssignedPartitions,
  options: DeliverOptions = {},
): Promise<number> {
  const due = await dueMessages(db, workflow, assigned, BATCH);
  const delivery = new Delivery(db, workflow, options);
  const settled = await writeWithBisection(
    due,
    (some) => delivery.deliver(some),
    (message, error) => delivery.refuse(message, error),
  );
  return settled.reduce((sum, n) => sum + n, 0);
}

interface DeliveryResult {
  readonly outcomes: readonly CommandResult[];
  readonly kept: readonly AppendedWorkflow[];
  /** Messages that need no further delivery for now. */
  readonly settled: number;
}

/** In a transaction, with the workflows locked: no concurrent writes. */
const LOCKED_STATE_SOURCE: StateSource = {
  async load(tx, workflow, wanted) {
    await lockWorkflowsById(tx as Tx, workflow.name, wanted);
    return load(tx, workflow, wanted);
  },
};

export class Delivery {
  readonly #db: Database;
  readonly #workflow: AnyWorkflow;
  readonly #options: DeliverOptions;
  readonly #timeLimits: DecideTimeLimits;
  readonly #began = performance.now();
  /** Workflows with a failed or skipped message in this round: later messages of theirs wait. */
  readonly #held = new Set<string>();

  constructor(db: Database, workflow: AnyWorkflow, options: DeliverOptions) {
    this.#db = db;
    this.#workflow = workflow;
    this.#options = options;
    this.#timeLimits = { ...TIME_LIMITS, ...options, onSlow: (command, ms) => this.#warn(command, ms) };
  }

  /**
   * Delivers all in one transaction; throws, with nothing written, if the database rejects the data of one. Those that lost a conflict are decided
   * again with their workflows locked: otherwise a workflow with constant writes would never receive its messages.
   */
  async deliver(messages: readonly DueMessage[]): Promise<number[]> {
    const due = messages.filter((message) => !this.#held.has(nameOf(message)));
    if (due.length === 0) return [];
    const options = { pace: this.#timeLimits, inOrder: true };
    const first = await this.#traced(due, async (commands) => {
      const batch = await decideBatch(this.#db, this.#workflow, commands, options);
      return this.#db.tx((tx) => this.#settle(tx, due, batch));
    });
    const again = due.filter(
      (message, n) => first.outcomes[n]!.outcome === 'overtaken' && !this.#held.has(nameOf(message)),
    );
    if (again.length === 0) return [first.settled];
    if (this.#isLate) return this.#leave(again, first.settled);
    const second = await this.#traced(again, (commands) =>
      this.#db.tx(async (tx) => {
        await lockUnchanged(tx, again); // messages before workflows: the global lock order
        const batch = await decideBatch(tx, this.#workflow, commands, {
          ...options,
          source: LOCKED_STATE_SOURCE,
        });
        return this.#settle(tx, again, batch);
      }),
    );
    const left = again.filter((_, n) => second.outcomes[n]!.outcome === 'overtaken');
    return this.#leave(left, first.settled + second.settled);
  }

  /** Leaves these, and the later messages of their workflows, for the next round. */
  #leave(messages: readonly DueMessage[], settled: number): number[] {
    for (const message of messages) this.#held.add(nameOf(message));
    return [settled];
  }

  async #traced(
    due: readonly DueMessage[],
    work: (commands: readonly Command[]) => Promise<DeliveryResult>,
  ): Promise<DeliveryResult> {
    const commands = due.map((message) => commandOf(this.#workflow, message));
    const { traced, end, failed } = startCommands(this.#workflow.name, commands, 'delivered');
    try {
      const settled = await work(traced);
      end(settled.outcomes);
      countDelivered(this.#workflow.name, settled.outcomes);
      await takeSnapshots(this.#db, this.#workflow, settled.kept);
      return settled;
    } catch (error) {
      failed(error);
      throw error;
    }
  }

  /** Fails a message whose effect the database rejects. */
  async refuse(message: DueMessage, error: unknown): Promise<number> {
    const failed = notStored(this.#workflow, message.workflowId, error);
    return this.#db.tx(async (tx) => {
      const unchanged = await lockUnchanged(tx, [message]);
      if (unchanged.has(message.id)) await this.#fail(tx, message, failed);
      return unchanged.size;
    });
  }

  /** An earlier message of its workflow failed or was skipped in this round. */
  mustWait(message: DueMessage): boolean {
    return this.#held.has(nameOf(message));
  }

  async park(message: DueMessage, error: unknown): Promise<void> {
    await this.#db.tx(async (tx) => {
      const unchanged = await lockUnchanged(tx, [message]);
      if (unchanged.has(message.id)) await this.#fail(tx, message, error, 0);
    });
  }

  get #isLate(): boolean {
    return performance.now() - this.#began > this.#timeLimits.budgetMs;
  }

  async #settle(
    tx: Tx,
    due: readonly DueMessage[],
    { outcomes, pendingAppends }: DecidedBatch,
  ): Promise<DeliveryResult> {
    const unchanged = await lockUnchanged(tx, due);
    const stale = new Set(due.filter(({ id }) => !unchanged.has(id)).map(nameOf));
    const valid = pendingAppends.filter(({ tenant, id }) => !stale.has(`${tenant}\0${id}`));
    await this.#lockWithPaused(tx, valid);
    const kept = await appendBatch(tx, this.#workflow, { outcomes, pendingAppends: valid });
    const left = due.map((message, n) => ({ message, outcome: outcomes[n]! }));
    const fresh = left.filter(({ message }) => !stale.has(nameOf(message)));
    await this.#write(tx, fresh);
    await recordStartResults(
      tx,
      fresh.map(({ message }) => message),
      fresh.map(({ outcome }) => outcome),
    );
    return { outcomes, kept, settled: fresh.filter(({ outcome }) => !isLeft(outcome)).length };
  }

  /** An append locks only the workflows it writes to. Paused workflows, whose messages are held, are locked together with them, in the global order. */
  async #lockWithPaused(tx: Tx, pendingAppends: readonly PendingAppend[]): Promise<void> {
    const paused = pendingAppends.filter(({ loaded }) => loaded.status === 'paused');
    if (paused.length === 0) return;
    const written = pendingAppends.filter(({ events }) => events.length > 0);
    await lockWorkflowsById(tx, this.#workflow.name, [...paused, ...written]);
  }

  async #write(tx: Tx, all: readonly { message: DueMessage; outcome: CommandResult }[]): Promise<void> {
    const gone: number[] = [];
    const held: number[] = [];
    const rejected: RejectedMessage[] = [];
    for (const { message, outcome } of all) {
      if (isLeft(outcome)) continue;
      if (outcome.outcome === 'rejected' && outcome !== EVENT_IGNORED)
        rejected.push(rejectedOf(this.#workflow.name, message, outcome.reason));
      if (outcome.outcome === 'paused') held.push(message.id);
      else if (outcome.outcome === 'failed') await this.#fail(tx, message, outcome.error);
      else if (message.cron !== null && !hasEnded(outcome))
        await repeatTimer(tx, message.id, nextTime(message.cron, message.zone!, message.now));
      else gone.push(message.id);
    }
    if (gone.length > 0) await removeMessages(tx, gone);
    if (held.length > 0) await holdMessages(tx, held);
    if (rejected.length > 0) await recordRejections(tx, rejected);
  }

  async #fail(
    tx: Tx,
    message: DueMessage,
    error: unknown,
    parkAfter = this.#options.parkAfter ?? PARK_AFTER,
  ): Promise<void> {
    const { id, attempts, workflowId } = message;
    this.#held.add(nameOf(message));
    const { say = () => {} } = this.#options;
    const delayMs =
      attempts + 1 < parkAfter ? 100 + backoff(attempts, { firstMs: 200, maxMs: 30_000 }) : null;
    const parked = delayMs === null ? { workflow: this.#workflow.name, id: workflowId } : null;
    const report = sanitizeText(formatReport(error, parked));
    await retryMessage(tx, id, report, delayMs);
    if (delayMs === null)
      say(
        `${this.#workflow.name} ${workflowId}: message ${id} (${describeMessage(message)}) is parked: ${report}`,
      );
  }

  #warn(command: Command, ms: number): void {
    this.#options.say?.(
      `${this.#workflow.name} ${command.id}: deciding on ${describeCommand(command)} took ${ms} ms and blocked everything else in this process.`,
    );
  }
}

function nameOf({ tenant, workflowId }: DueMessage): string {
  return `${tenant}\0${workflowId}`;
}

/** A conflict with another command, or newer code wrote to the workflow meanwhile: its message is left unchanged. */
function isLeft(outcome: CommandResult): boolean {
  return (
    outcome.outcome === 'overtaken' ||
    (outcome.outcome === 'failed' && outcome.error instanceof NewerVersionRequired)
  );
}

function rejectedOf(workflow: string, message: DueMessage, reason: string): RejectedMessage {
  const { tenant, workflowId: id, kind, timer } = message;
  const { type } = message.body as { type?: unknown };
  return { tenant, workflow, id, kind, type: typeof type === 'string' ? type : null, timer, reason };
}

/** The timers of an ended workflow are deleted with it; one being delivered at that time must not be scheduled again. */
function hasEnded(outcome: CommandResult): boolean {
  return outcome.outcome === 'rejected' && outcome.ended === true;
}
