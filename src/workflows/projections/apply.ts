/**
 * A call of the user's code within the transaction of a batch: with a time limit, and with statements that end with the call. Also those that the
 * code does not await: the call is over when all of them are answered, so their failures are its own.
 */
import { setImmediate } from 'node:timers/promises';
import { messageOf, SeineError } from '../../base/errors.ts';
import type { Tx } from '../../db/database.ts';
import { CLEAN_SESSION } from '../../db/session-settings.ts';
import type { Found } from '../../events/read-store.ts';
import { bodyOf } from '../fold.ts';
import { enteringFold, runCode } from '../user-code/running-code.ts';
import {
  controlsTransaction,
  isMarked,
  transactionControlled,
  transactionMark,
} from '../user-code/transaction-control.ts';
import { type Projection, type ProjectionTx, sourceOf } from './projection.ts';

/** The user's code failed, or a statement of its own. Outages of the database are errors of another kind. */
export class ApplyFailed extends Error {
  readonly event: Found | null;
  constructor(event: Found | null, cause: unknown) {
    const where =
      event === null ? '' : `${event.type} (event ${event.version} of ${event.workflow} ${event.id}): `;
    super(`${where}${messageOf(cause)}`, { cause });
    this.event = event;
  }
}

const TIMEOUT_MS = 30_000;

/** Passes over events that the projection did not ask for. Without an event: any call, such as init. */
export async function applyOne(
  tx: Tx,
  event: Found | null,
  what: Projection | ((tx: ProjectionTx) => unknown),
  timeoutMs = TIMEOUT_MS,
): Promise<void> {
  const call = typeof what === 'function' ? what : callOf(what, event!);
  if (call === null) return;
  let isOver = false;
  let failed: unknown = null;
  let refused: SeineError | null = null;
  const asked = new Set<Promise<unknown>>();
  const ask = <Row>(sql: string, params?: readonly unknown[]): ReturnType<typeof tx.query<Row>> => {
    if (isOver) return Promise.reject(new Error('The transaction of this event is over.'));
    if (!controlsTransaction(sql)) return tx.query<Row>(sql, params);
    refused = transactionControlled('It');
    return Promise.reject(refused);
  };
  const guarded: ProjectionTx = {
    query: (sql, params) => {
      const answer = ask<never>(sql, params);
      asked.add(answer);
      answer.then(
        () => asked.delete(answer),
        (error) => {
          asked.delete(answer);
          failed ??= error;
        },
      );
      return answer;
    },
  };
  const complete = async () => {
    await call(guarded);
    while (asked.size > 0) {
      await Promise.allSettled(asked);
      await setImmediate(); // what the code asks for after these answers
    }
    if (refused) throw refused;
  };
  const expired = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => expired.reject(new Error(`It took longer than ${timeoutMs / 1000} s.`)),
    timeoutMs,
  );
  try {
    await Promise.race([complete(), expired.promise]);
    if (failed !== null) await tx.query('select').catch(() => Promise.reject(failed)); // its error was swallowed, and nothing can commit
  } catch (error) {
    throw failedAt(event, error);
  } finally {
    isOver = true;
    clearTimeout(timer);
  }
}

/**
 * Around the calls of one transaction. What only shows at its end is an error of the user's code, too: a constraint that is checked late, or a
 * transaction that is another one. The search path is Seine's afterwards.
 */
export async function aroundCalls(tx: Tx, calls: () => Promise<void>): Promise<void> {
  const { mark, sql } = transactionMark();
  await tx.query(sql);
  await calls();
  try {
    if (!(await isMarked(tx, mark))) throw transactionControlled('It');
    await tx.query(`set constraints all immediate; ${CLEAN_SESSION}`);
  } catch (error) {
    throw failedAt(null, error);
  }
}

/** An outage is an error of its own. */
function failedAt(event: Found | null, error: unknown): Error {
  return error instanceof SeineError && error.kind === 'unavailable' ? error : new ApplyFailed(event, error);
}

function callOf(projection: Projection, event: Found): ((tx: ProjectionTx) => unknown) | null {
  const { offset: _, workflowKey: __, part: ___, ...told } = event;
  const source = sourceOf(projection, told);
  if (source === null) return null;
  const { workflow } = source;
  return (tx) => {
    enteringFold(event.workflow, event.id);
    const { type: __type, ...data } = bodyOf(workflow, event);
    const of = `the projection ${projection.name} on event ${event.version} (${event.type}) of ${event.workflow} ${event.id}`;
    return runCode('apply', of, () => projection.apply(tx, { ...told, schema: workflow.version, data }));
  };
}
