/**
 * Actions that write to the same database: their statements, result and event are one transaction, so they take effect together and exactly once. The
 * row of the action is fenced at the end: a process that lost the action is rolled back.
 */
import { codeOf, SeineError } from '../../base/errors.ts';
import { backoff, timers } from '../../base/retry.ts';
import type { Database, Tx } from '../../db/database.ts';
import { CLEAN_SESSION } from '../../db/session-settings.ts';
import {
  controlsTransaction,
  isMarked,
  transactionControlled,
  transactionMark,
} from '../user-code/transaction-control.ts';
import { lockWorkflows } from '../workflow-store.ts';
import type { Action, ActionContext, ActionTransaction } from './action.ts';
import type { ClaimedAction } from './claim-store.ts';
import { endBatch } from './end-batch.ts';
import { jsonOf } from './error-text.ts';
import { isNonRetryable } from './policy.ts';

export type Work = Extract<Action, { readonly transaction: unknown }>['transaction'];

export interface ActionTransactionStep {
  readonly claimed: ClaimedAction;
  readonly context: Omit<ActionContext, 'checkpoint'>;
  readonly schema: number;
  readonly timeoutMs: number;
}

export interface StepFailure {
  readonly error: unknown;
  /** An error of the database, not of the action: retryable, whatever the error says. */
  readonly mayPass?: boolean;
}

/** The lease is lost: everything was rolled back, and there is nothing to write. */
export const LOST = Symbol('lost');
const MAX_CONFLICT_RETRIES = 20;
/** serialization_failure, deadlock_detected */
const SERIALISATION: ReadonlySet<string | undefined> = new Set(['40001', '40P01']);

/**
 * Never rejects. A serialization failure or a deadlock is retried within the same attempt. It may be caused by our own update of the workflow's row,
 * which is written often: so the retry locks this row before the user's first statement.
 */
export async function runStep(
  db: Database,
  work: Work,
  step: ActionTransactionStep,
): Promise<{ readonly keys: ReadonlySet<number> } | StepFailure> {
  for (let conflicts = 0; ; conflicts++) {
    let own: unknown = null;
    const ofWork: Work = async (...given) => {
      try {
        return await work(...given);
      } catch (error) {
        own = error;
        throw error;
      }
    };
    const fromDatabase = new WeakSet<object>();
    try {
      const transacted = (tx: Tx) => transact(trackErrors(tx, fromDatabase), ofWork, step, conflicts > 0);
      return { keys: await db.tx(transacted, { foreign: true }) };
    } catch (error) {
      const { signal } = step.context;
      const isPassing = error === own ? isSerialisation(error) : isConflict(error);
      if (isPassing && conflicts < MAX_CONFLICT_RETRIES && !signal.aborted) {
        await timers.sleep(backoff(conflicts, { firstMs: 10, maxMs: 500 }), signal);
        continue;
      }
      const isFinal = error === own && isNonRetryable(error);
      return { error, mayPass: error !== LOST && !isFinal && isOf(fromDatabase, error, own) };
    }
  }
}

/** Of user statements: a timeout that the code sets for them (57014, 55P03) is its own failure, and counts as an attempt. */
function isSerialisation(error: unknown): boolean {
  return isConflict(error) && SERIALISATION.has(codeOf((error as SeineError).cause));
}

/** Of our statements at the end of the transaction: any retryable conflict there is not the user's fault. */
function isConflict(error: unknown): boolean {
  return error instanceof SeineError && error.kind === 'conflict' && error.retry;
}

/** Errors of statements; and those of `commit`, thrown neither by a statement nor by user code. */
function isOf(fromDatabase: WeakSet<object>, error: unknown, own: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  return (
    fromDatabase.has(error) || (error !== own && error instanceof SeineError && error.kind === 'internal')
  );
}

/** User code receives errors of statements without `retry: false`: if the final error has it, user code set it. */
function trackErrors(tx: Tx, fromDatabase: WeakSet<object>): Tx {
  return {
    ...tx,
    query: (...asked) =>
      tx.query<never>(...asked).catch((error) => {
        if (typeof error === 'object' && error !== null) fromDatabase.add(error);
        if (isNonRetryable(error)) delete error.retry;
        throw error;
      }),
  };
}

async function transact(
  tx: Tx,
  work: Work,
  step: ActionTransactionStep,
  lockFirst: boolean,
): Promise<ReadonlySet<number>> {
  const { claimed, context, schema, timeoutMs } = step;
  const { mark, sql } = transactionMark();
  await tx.query(`set local statement_timeout to ${Math.ceil(timeoutMs)}; ${sql}`);
  const result = await runAbortable(context.signal, (isOpen) =>
    work({ query: queryOf(tx, claimed, { isOpen, lockFirst }) }, claimed.input, context),
  );
  const json = jsonOf(result, `The result of ${claimed.name}`);
  if (!(await isMarked(tx, mark))) throw transactionControlled(claimed.name);
  await tx.query(CLEAN_SESSION);
  const finished = { claimed, outcome: { as: 'done', result: json }, schema } as const;
  const { keys, ended } = await endBatch(tx, [finished]);
  if (ended === 0) throw LOST;
  return keys;
}

/** A statement sent after the user's function has returned or was stopped would run in another transaction. */
function queryOf(
  tx: Tx,
  { name, workflowKey }: ClaimedAction,
  { isOpen, lockFirst }: { isOpen: () => boolean; lockFirst: boolean },
): ActionTransaction['query'] {
  let locked: Promise<unknown> | null = lockFirst ? null : Promise.resolve();
  return async (sql, params) => {
    if (!isOpen())
      throw new SeineError('usage', `The transaction of ${name} has ended.`, {
        hint: 'Await every statement before `transaction` returns.',
      });
    if (controlsTransaction(sql)) throw transactionControlled(name);
    if (!SETTING.test(sql)) {
      locked ??= lockWorkflows(tx, [workflowKey]);
      await locked;
    }
    return tx.query<never>(sql, params);
  };
}

/** The isolation level must be set before any other statement; settings that change name resolution come after the lock. */
const SETTING = /^\s*set\s(?!.*(search_path|role|authorization|schema))/is;

/** Rolls back when the signal is aborted: code that ignores it must not keep a connection. */
async function runAbortable<T>(signal: AbortSignal, work: (isOpen: () => boolean) => Promise<T>): Promise<T> {
  const { promise: stopped, reject } = Promise.withResolvers<never>();
  const stop = () => reject(signal.reason);
  let open = true;
  signal.throwIfAborted();
  signal.addEventListener('abort', stop);
  try {
    return await Promise.race([work(() => open), stopped]);
  } finally {
    open = false;
    signal.removeEventListener('abort', stop);
  }
}

/** Limits open action transactions per process: each uses a connection, and lease renewals need some, too. */
export class StepSemaphore {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  /** Returns the release function, or null if `unless` settled first. */
  async acquire(unless: Promise<unknown>): Promise<(() => void) | null> {
    if (this.#free > 0) this.#free--;
    else {
      const turn = Promise.withResolvers<true>();
      const mine = () => turn.resolve(true);
      this.#waiting.push(mine);
      const isMine = await Promise.race([turn.promise, unless.then(() => false)]);
      if (!isMine) {
        const at = this.#waiting.indexOf(mine);
        if (at >= 0) this.#waiting.splice(at, 1);
        else this.#release();
        return null;
      }
    }
    return () => this.#release();
  }

  #release(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#free++;
  }
}
