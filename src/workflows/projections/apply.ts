/**
 * Calls user code within the transaction of a batch: with a time limit, and with statements bound to the call. It also awaits statements that the code
 * does not await, so their failures belong to the call.
 */
import { setImmediate } from 'node:timers/promises';
import { codeOf, messageOf, SeineError } from '../../base/errors.ts';
import type { Tx } from '../../db/database.ts';
import { CLEAN_SESSION } from '../../db/session-settings.ts';
import type { PartitionEvent } from '../../events/read-store.ts';
import { bodyOf } from '../state/fold.ts';
import { enteringFold, runCode } from '../user-code/running-code.ts';
import {
  controlsTransaction,
  isMarked,
  transactionControlled,
  transactionMark,
} from '../user-code/transaction-control.ts';
import { type Projection, type ProjectionTx, sourceOf } from './projection.ts';

/** User code or one of its statements failed. Outages of the database have their own error. */
export class ProjectionError extends Error {
  readonly event: PartitionEvent | null;
  constructor(event: PartitionEvent | null, cause: unknown) {
    const where =
      event === null ? '' : `${event.type} (event ${event.version} of ${event.workflow} ${event.id}): `;
    super(`${where}${messageOf(cause)}`, { cause });
    this.event = event;
  }
}

export interface CallLimits {
  readonly timeoutMs?: number;
  /** Maximum time without a statement. */
  readonly idleMs?: number;
}

const TIMEOUT_MS = 30_000;
/**
 * An open transaction holds up all readers of the log, so the server terminates one idle for a quarter longer than this. The call is aborted before
 * that: a terminated connection looks like an outage, and the call would be retried for ever.
 */
const IDLE_MS = 4000;
/** The server terminated the transaction: idle_in_transaction_session_timeout, transaction_timeout. */
const ENDED_BY_TIMEOUT: readonly unknown[] = ['25P03', '25P04'];

/** Skips events that the projection does not select. Without an event: another call, such as init. */
export async function applyToProjection(
  tx: Tx,
  event: PartitionEvent | null,
  what: Projection | ((tx: ProjectionTx) => unknown),
  { timeoutMs = TIMEOUT_MS, idleMs = IDLE_MS }: CallLimits = {},
): Promise<void> {
  const call = typeof what === 'function' ? what : callOf(what, event!);
  if (call === null) return;
  let isOver = false;
  let failed: unknown = null;
  let refused: SeineError | null = null;
  const asked = new Set<Promise<unknown>>();
  const expired = Promise.withResolvers<never>();
  const idle = new Idle(idleMs, expired.reject);
  const ask = async <Row>(sql: string, params?: readonly unknown[]) => {
    if (isOver) throw new Error('The transaction of this event is over.');
    idle.stop();
    if (!controlsTransaction(sql)) return tx.query<Row>(sql, params);
    refused = transactionControlled('It');
    throw refused;
  };
  const guarded: ProjectionTx = {
    query: (sql, params) => {
      const answer = ask<never>(sql, params);
      asked.add(answer);
      const answered = () => {
        asked.delete(answer);
        if (asked.size === 0 && !isOver) idle.start();
      };
      answer.then(answered, (error) => {
        failed ??= error;
        answered();
      });
      return answer;
    },
  };
  const complete = async () => {
    idle.start();
    await call(guarded);
    idle.stop();
    while (asked.size > 0) {
      await Promise.allSettled(asked);
      await setImmediate(); // lets the code send its next statement after these
    }
    if (refused) throw refused;
  };
  const timer = setTimeout(
    () => expired.reject(new Error(`It took longer than ${timeoutMs / 1000} s.`)),
    timeoutMs,
  );
  try {
    await Promise.race([complete(), expired.promise]);
    if (failed !== null) await tx.query('select').catch(() => Promise.reject(failed)); // the code ignored the error, but the transaction can't commit
  } catch (error) {
    throw failedAt(event, error);
  } finally {
    isOver = true;
    clearTimeout(timer);
    idle.clear();
  }
}

/** Since when the call has waited for something other than the database. */
class Idle {
  readonly #maxMs: number;
  readonly #expire: (error: Error) => void;
  #timer: NodeJS.Timeout | undefined;
  #since: number | null = null;

  constructor(maxMs: number, expire: (error: Error) => void) {
    this.#maxMs = maxMs;
    this.#expire = expire;
  }

  start(): void {
    this.clear();
    this.#since = performance.now();
    this.#timer = setTimeout(() => this.#expire(this.#error()), this.#maxMs);
  }

  /** Throws if it took too long: code that blocks the thread blocks the timer, too. */
  stop(): void {
    const since = this.#since;
    this.clear();
    if (since !== null && performance.now() - since > this.#maxMs) throw this.#error();
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.#since = null;
  }

  #error(): Error {
    return new Error(`It sent no statement for ${this.#maxMs / 1000} s while its transaction was open.`);
  }
}

/** Calls user code for an event, or without one. */
export type Call = (
  event: PartitionEvent | null,
  what: Projection | ((tx: ProjectionTx) => unknown),
) => Promise<void>;

/**
 * Wraps the calls of one transaction. Errors that show only at its end belong to user code, too: a deferred constraint, or a replaced transaction.
 * Restores Seine's search path.
 */
export async function guardTransaction(
  tx: Tx,
  calls: (call: Call) => Promise<void>,
  limits: CallLimits = {},
): Promise<void> {
  const { idleMs = IDLE_MS } = limits;
  const { mark, sql } = transactionMark();
  await tx.query(`${sql}; set local idle_in_transaction_session_timeout to ${Math.ceil(idleMs * 1.25)}`);
  let askedAt = performance.now();
  await calls(async (event, what) => {
    await applyToProjection(tx, event, what, limits);
    if (performance.now() - askedAt < idleMs / 8) return;
    await tx.query('select'); // many short calls without statements leave the transaction idle, too
    askedAt = performance.now();
  });
  try {
    if (!(await isMarked(tx, mark))) throw transactionControlled('It');
    await tx.query(`set constraints all immediate; ${CLEAN_SESSION}`);
  } catch (error) {
    throw failedAt(null, error);
  }
}

/** An outage keeps its own error; a transaction that took too long is a failure of the code. */
function failedAt(event: PartitionEvent | null, error: unknown): Error {
  const isOutage = error instanceof SeineError && error.kind === 'unavailable';
  return isOutage && !ENDED_BY_TIMEOUT.includes(codeOf(error.cause))
    ? error
    : new ProjectionError(event, error);
}

function callOf(projection: Projection, event: PartitionEvent): ((tx: ProjectionTx) => unknown) | null {
  const { offset: _, workflowKey: __, part: ___, ...visible } = event;
  const source = sourceOf(projection, visible);
  if (source === null) return null;
  const { workflow } = source;
  return (tx) => {
    enteringFold(event.workflow, event.id);
    const { type: __type, ...data } = bodyOf(workflow, event);
    const of = `the projection ${projection.name} on event ${event.version} (${event.type}) of ${event.workflow} ${event.id}`;
    return runCode('apply', of, () => projection.apply(tx, { ...visible, schema: workflow.version, data }));
  };
}
