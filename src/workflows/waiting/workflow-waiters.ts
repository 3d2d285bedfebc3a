/**
 * Waits for workflows. All waits of a client share one query per round and one LISTEN connection. Runners send a notification when workflows of a type
 * have ended; it is only a hint, and each wait also polls, with increasing intervals.
 */
import { SeineError } from '../../base/errors.ts';
import type { Database } from '../../db/database.ts';
import type { WorkflowRef } from '../../events/event.ts';
import { parseNotification, WORKFLOW_CHANNEL } from '../../events/event-notifier.ts';
import { timerMs, type Wait } from '../wait.ts';
import { readWorkflowProgress, type WorkflowProgress } from './workflow-progress-store.ts';

export interface WaitOptions {
  /** Timeout (default: none). */
  readonly timeout?: Wait;
  readonly signal?: AbortSignal;
}

/** Called with each progress that is read; null: continue waiting. An error it throws ends the wait. */
export type WaitCondition<T> = (
  progress: WorkflowProgress | null,
) => Promise<{ value: T } | null> | { value: T } | null;

interface Waiter {
  readonly address: WorkflowRef;
  readonly since: number;
  due: number;
  /** A notification has arrived since the query started: its result may be stale. */
  hinted: boolean;
  /** When it was last queried. */
  queriedAt: number;
  last: WorkflowProgress | null;
  check(progress: WorkflowProgress | null): Promise<void>;
  fail(error: unknown): void;
}

const MIN_PAUSE_MS = 10;
const MAX_PAUSE_MS = 5000;
const BATCH = 1000;
/** Minimum interval between two rounds, however many notifications arrive. */
const ROUND_MS = 20;

export class WorkflowWaiters {
  readonly #db: Database;
  readonly #waiters = new Set<Waiter>();
  #listening: Promise<() => Promise<void>> | null = null;
  #timer: NodeJS.Timeout | null = null;
  #asking = false;
  #pauseMs = ROUND_MS;
  #closed = false;

  constructor(db: Database) {
    this.#db = db;
  }

  /** `what` completes the timeout message: "to complete". */
  async until<T>(
    address: WorkflowRef,
    what: string,
    check: WaitCondition<T>,
    options: WaitOptions,
  ): Promise<T> {
    const { signal } = options;
    signal?.throwIfAborted();
    const timeoutMs = timeoutOf(options);
    if (this.#closed) throw closedError(address);
    this.#listening ??= this.#db.listen(WORKFLOW_CHANNEL, (said) => this.#onNotification(said));
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const waiter: Waiter = {
      address,
      since: performance.now(),
      due: performance.now(),
      hinted: false,
      queriedAt: Number.NEGATIVE_INFINITY,
      last: null,
      fail: reject,
      check: async (progress) => {
        waiter.last = progress;
        try {
          const answer = await check(progress);
          if (answer) resolve(answer.value);
        } catch (error) {
          if (!isOutage(error)) reject(error); // outages are retried
        }
      },
    };
    const onTimeout = () => reject(waitTimeoutError(waiter, what));
    const timer = timeoutMs === null ? null : setTimeout(onTimeout, timeoutMs);
    const aborted = () => reject(signal!.reason);
    signal?.addEventListener('abort', aborted, { once: true });
    this.#waiters.add(waiter);
    this.#schedule();
    try {
      return await promise;
    } finally {
      this.#waiters.delete(waiter);
      signal?.removeEventListener('abort', aborted);
      if (timer) clearTimeout(timer);
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    if (this.#timer) clearTimeout(this.#timer);
    for (const { fail, address } of this.#waiters) fail(closedError(address));
    await (await this.#listening)?.();
  }

  /** After a lost connection notifications may have been missed. */
  #onNotification(said: string): void {
    const { topic, workflow } = parseNotification(said);
    if (topic !== null && topic !== 'ended') return;
    for (const waiter of this.#waiters) {
      if (workflow !== null && waiter.address.workflow !== workflow) continue;
      waiter.due = performance.now();
      waiter.hinted = true;
    }
    this.#schedule();
  }

  #schedule(): void {
    if (this.#asking || this.#closed) return;
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    let due = Number.POSITIVE_INFINITY;
    for (const waiter of this.#waiters) due = Math.min(due, waiter.due);
    if (due === Number.POSITIVE_INFINITY) return;
    this.#timer = setTimeout(() => void this.#round(), Math.max(0, due - performance.now()));
  }

  async #round(): Promise<void> {
    this.#asking = true;
    const began = performance.now();
    // The longest waiting first: otherwise constant notifications could starve some waits.
    const due = [...this.#waiters]
      .filter((waiter) => waiter.due <= began)
      .sort((a, b) => a.queriedAt - b.queriedAt)
      .slice(0, BATCH);
    for (const waiter of due) waiter.hinted = false;
    try {
      await this.#poll(due);
    } catch (error) {
      // Outages are retried; each wait has its own timeout.
      if (!isOutage(error)) for (const { fail } of due) fail(error);
    }
    const now = performance.now();
    for (const waiter of due) {
      waiter.queriedAt = began;
      if (!waiter.hinted)
        waiter.due = now + Math.min(MAX_PAUSE_MS, Math.max(MIN_PAUSE_MS, (now - waiter.since) / 4));
    }
    this.#pauseMs = Math.max(ROUND_MS / 2, 2 * (now - began)); // queries take at most a third of the time
    setTimeout(() => {
      this.#asking = false;
      this.#schedule();
    }, this.#pauseMs);
  }

  async #poll(due: readonly Waiter[]): Promise<void> {
    if (due.length === 0) return;
    const standings = await readWorkflowProgress(
      this.#db,
      due.map(({ address }) => address),
    );
    await Promise.all(due.map((waiter, n) => waiter.check(standings[n]!)));
  }
}

/** Null: no limit. */
export function timeoutOf({ timeout }: WaitOptions): number | null {
  return timeout === undefined ? null : timerMs(timeout, 'The wait has the timeout');
}

function isOutage(error: unknown): boolean {
  return error instanceof SeineError && error.retry;
}

function waitTimeoutError({ address, since, last }: Waiter, what: string): SeineError {
  const { workflow, id } = address;
  const seconds = ((performance.now() - since) / 1000).toFixed(1);
  const parked = last?.parked != null ? ` It is parked: ${last.parked}` : '';
  return new SeineError('limit', `${workflow} ${id} took longer than ${seconds} s ${what}.${parked}`, {
    hint: `Show what it waits for: seine workflows show ${workflow} ${id}`,
    retry: true,
  });
}

function closedError({ workflow, id }: WorkflowRef): SeineError {
  return new SeineError('unavailable', `The client was closed while it waited for ${workflow} ${id}.`, {
    retry: false,
  });
}
