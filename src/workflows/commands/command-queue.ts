/**
 * Sends the commands of this process in batches. While a batch with commands of a workflow is in progress, later ones to the same workflow wait and go
 * together in the next: commands of one process never overtake each other, and take effect in the order in which they were sent.
 *
 *   optimistic   commands of many workflows in one batch; an append that finds another version writes nothing for that workflow
 *   locked       of one workflow that another process writes to as well: its row is locked first, so that processes take turns
 *
 * A batch that waits for a lock holds no other lock, and the number of concurrent batches is limited, so the pool is not exhausted.
 *
 * Crash: a batch is one append, so each command took effect or did not. No other state is kept here.
 */
import { SeineError } from '../../base/errors.ts';
import type { Database } from '../../db/database.ts';
import { isRejectedData } from '../../db/rejected-data.ts';
import type { AnyWorkflow } from '../define.ts';
import { takeSnapshots } from '../state/snapshots.ts';
import type { Command, CommandResult } from './command.ts';
import { CommandStateCache } from './command-state-cache.ts';
import { decideAndAppend, handleOnce, notStored } from './handle.ts';

export interface CommandQueueOptions {
  /** Maximum concurrent optimistic batches (4). */
  readonly batches?: number;
  /** Maximum concurrent locked batches (4). */
  readonly lockedBatches?: number;
  /** Maximum commands in a batch (1,000). */
  readonly batchSize?: number;
  /** Maximum queued commands (10,000). */
  readonly maxQueued?: number;
}

interface QueuedCommand {
  readonly workflow: AnyWorkflow;
  readonly command: Command;
  readonly queue: WorkflowQueue;
  readonly settle: (outcome: CommandResult) => void;
  tries: number;
  /** The last try lost against another process, within a round trip; a stale cached state says nothing about that. */
  isContended: boolean;
}

/** The queued commands of one workflow, in order. */
interface WorkflowQueue {
  readonly name: string;
  waiting: QueuedCommand[];
  inFlight: boolean;
}

const MAX_ATTEMPTS = 50;
/** Maximum of one batch; more are divided among the batches that may start now, because the server processes those in parallel. */
const MIN_BATCH = 100;
/** Time without a conflict after which a workflow is tried optimistically again. */
const CONTENDED_MS = 1000;
/** Size at which expired entries are removed. */
const MAX_CONTENDED = 1000;

export class CommandQueue {
  readonly #db: Database;
  readonly #limits: Required<CommandQueueOptions>;
  readonly #states = new CommandStateCache();
  readonly #queues = new Map<string, WorkflowQueue>();
  readonly #ready = { optimistic: new Set<WorkflowQueue>(), locked: new Set<WorkflowQueue>() };
  readonly #inFlight = { optimistic: new Set<Promise<void>>(), locked: new Set<Promise<void>>() };
  /** Expiry time, by workflow. */
  readonly #contended = new Map<string, number>();
  #queued = 0;
  #scheduled = false;
  #closed = false;

  constructor(db: Database, options: CommandQueueOptions = {}) {
    this.#db = db;
    this.#limits = { batches: 4, lockedBatches: 4, batchSize: 1000, maxQueued: 10_000, ...options };
  }

  /** Each has its own result, including its errors. Throws when too many are queued. */
  submit(workflow: AnyWorkflow, commands: readonly Command[]): Promise<CommandResult>[] {
    if (this.#closed) throw closedError();
    const { maxQueued } = this.#limits;
    if (this.#queued >= maxQueued) {
      throw new SeineError(
        'limit',
        `${this.#queued} commands are waiting in this process; the maximum is ${maxQueued}.`,
        {
          hint: 'Await the outcomes of earlier commands before you send more.',
          retry: true,
        },
      );
    }
    this.#queued += commands.length;
    return commands.map((command) => this.#add(workflow, command));
  }

  /** Completes batches in progress; queued commands fail. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const { waiting } of this.#queues.values())
      for (const { settle } of waiting.splice(0)) settle({ outcome: 'failed', error: closedError() });
    await Promise.all([...this.#inFlight.optimistic, ...this.#inFlight.locked]);
  }

  #add(workflow: AnyWorkflow, command: Command): Promise<CommandResult> {
    const name = `${workflow.name}\0${command.tenant}\0${command.id}`;
    const queue = this.#queues.get(name) ?? { name, waiting: [], inFlight: false };
    this.#queues.set(name, queue);
    const { promise, resolve: settle } = Promise.withResolvers<CommandResult>();
    queue.waiting.push({ workflow, command, queue, settle, tries: 0, isContended: false });
    this.#offer(queue);
    return promise;
  }

  /** Queues it for the next batch. */
  #offer(queue: WorkflowQueue): void {
    if (queue.inFlight || queue.waiting.length === 0) return;
    const isContended = (this.#contended.get(queue.name) ?? 0) > performance.now();
    if (!isContended) this.#contended.delete(queue.name);
    const [to, from] = isContended
      ? (['locked', 'optimistic'] as const)
      : (['optimistic', 'locked'] as const);
    this.#ready[from].delete(queue);
    this.#ready[to].add(queue);
    this.#schedule();
  }

  /** Starts after all work that is ready now, so that commands sent at the same time share a batch. */
  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.#start('optimistic', this.#limits.batches);
      this.#start('locked', this.#limits.lockedBatches);
    });
  }

  #start(how: 'optimistic' | 'locked', max: number): void {
    while (this.#inFlight[how].size < max && this.#ready[how].size > 0) {
      const batch = this.#take(how);
      if (batch.length === 0) return;
      const running = this.#run(batch, how).finally(() => {
        this.#inFlight[how].delete(running);
        this.#schedule();
      });
      this.#inFlight[how].add(running);
    }
  }

  /** Takes as many workflows of one definition as fit; only one if it is to be locked. */
  #take(how: 'optimistic' | 'locked'): QueuedCommand[] {
    const batch: QueuedCommand[] = [];
    const free = this.#limits.batches - this.#inFlight.optimistic.size;
    const share = how === 'locked' ? 1 : Math.max(MIN_BATCH, this.#queued / free);
    for (const queue of this.#ready[how]) {
      const room = this.#limits.batchSize - batch.length;
      const workflow = batch[0]?.workflow ?? queue.waiting[0]?.workflow;
      const other = queue.waiting.findIndex((entry) => entry.workflow !== workflow);
      const taken = queue.waiting.splice(0, Math.min(room, other < 0 ? room : other));
      if (taken.length > 0 || queue.waiting.length === 0) this.#ready[how].delete(queue);
      queue.inFlight = taken.length > 0;
      batch.push(...taken);
      if (batch.length >= Math.min(share, this.#limits.batchSize)) break;
    }
    this.#queued -= batch.length;
    return batch;
  }

  async #run(batch: readonly QueuedCommand[], how: 'optimistic' | 'locked'): Promise<void> {
    const overtaken = await this.#handle(batch, how);
    for (const [queue, entries] of Map.groupBy(overtaken, (entry) => entry.queue)) {
      if (entries.some(({ isContended }) => isContended)) this.#markContended(queue);
      this.#requeue(queue, entries);
    }
    for (const queue of new Set(batch.map((entry) => entry.queue))) {
      queue.inFlight = false;
      if (queue.waiting.length === 0) this.#queues.delete(queue.name);
      else this.#offer(queue);
    }
  }

  /** The commands that lost a conflict, in order. */
  async #handle(batch: readonly QueuedCommand[], how: 'optimistic' | 'locked'): Promise<QueuedCommand[]> {
    if (batch.length === 0) return [];
    try {
      const outcomes = await (how === 'locked' ? this.#handleLocked(batch) : this.#handleOptimistic(batch));
      for (const [n, entry] of batch.entries()) {
        const outcome = outcomes[n]!;
        if (outcome.outcome === 'overtaken') entry.isContended = !outcome.assumed;
        else entry.settle(outcome);
      }
      return batch.filter((_, n) => outcomes[n]!.outcome === 'overtaken');
    } catch (error) {
      this.#states.clear();
      const isOutage = error instanceof SeineError && error.retry;
      if (batch.length > 1 && !isOutage) return this.#handleHalves(batch, how);
      for (const { settle, workflow, command } of batch)
        settle({
          outcome: 'failed',
          error: isRejectedData(error) ? notStored(workflow, command.id, error) : error,
        });
      return [];
    }
  }

  /** One of them can't be written, so nothing was: retried in parts, so that the others don't fail with it. */
  async #handleHalves(
    batch: readonly QueuedCommand[],
    how: 'optimistic' | 'locked',
  ): Promise<QueuedCommand[]> {
    const half = batch.length >> 1;
    const first = await this.#handle(batch.slice(0, half), how);
    const behind = new Set(first.map(({ queue }) => queue)); // later commands must not overtake
    const [waiting, second] = [true, false].map((is) =>
      batch.slice(half).filter(({ queue }) => behind.has(queue) === is),
    ) as [QueuedCommand[], QueuedCommand[]];
    return [...first, ...waiting, ...(await this.#handle(second, how))];
  }

  #handleOptimistic(batch: readonly QueuedCommand[]): Promise<CommandResult[]> {
    return handleOnce(this.#db, batch[0]!.workflow, commandsOf(batch), this.#states);
  }

  async #handleLocked(batch: readonly QueuedCommand[]): Promise<CommandResult[]> {
    const { workflow } = batch[0]!;
    const { outcomes, written } = await this.#db.tx((tx) =>
      decideAndAppend(tx, workflow, commandsOf(batch), {
        load: (_, kind, wanted) => this.#states.loadLocked(tx, kind, wanted),
      }),
    );
    for (const one of written) this.#states.appended(workflow, one);
    await takeSnapshots(this.#db, workflow, written);
    return outcomes;
  }

  #markContended({ name }: WorkflowQueue): void {
    const now = performance.now();
    this.#contended.set(name, now + CONTENDED_MS);
    if (this.#contended.size <= MAX_CONTENDED) return;
    for (const [other, until] of this.#contended) if (until <= now) this.#contended.delete(other);
  }

  /** At the front. */
  #requeue(queue: WorkflowQueue, entries: readonly QueuedCommand[]): void {
    const again: QueuedCommand[] = [];
    for (const entry of entries) {
      if (this.#closed) entry.settle({ outcome: 'failed', error: closedError() });
      else if (++entry.tries >= MAX_ATTEMPTS)
        entry.settle({ outcome: 'failed', error: contentionError(entry) });
      else again.push(entry);
    }
    queue.waiting = [...again, ...queue.waiting];
    this.#queued += again.length;
  }
}

function commandsOf(batch: readonly QueuedCommand[]): Command[] {
  return batch.map(({ command }) => command);
}

function contentionError({ workflow, command }: QueuedCommand): SeineError {
  return new SeineError(
    'conflict',
    `${workflow.name} ${command.id} was changed by others ${MAX_ATTEMPTS} times in a row.`,
    {
      hint: 'Try again in a moment.',
      retry: true,
    },
  );
}

function closedError(): SeineError {
  return new SeineError('unavailable', 'The workflow client was closed before this command was handled.', {
    hint: 'Await the outcomes of commands before you close it.',
    retry: false,
  });
}
