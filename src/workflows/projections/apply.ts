/** A call of the user's code within the transaction of a batch: with a time limit, and with statements that end with the call. */
import { messageOf, SeineError } from '../../base/errors.ts';
import type { Tx } from '../../db/database.ts';
import type { Found } from '../../events/read-store.ts';
import { bodyOf } from '../fold.ts';
import { type Projection, type ProjectionTx, sourceOf } from './projection.ts';

/** The user's code failed, or a statement of its own. Outages of the database are errors of another kind: they are nobody's fault. */
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
  const guarded: ProjectionTx = {
    query: (sql, params) => {
      if (isOver) return Promise.reject(new Error('The transaction of this event is over.'));
      const answer = tx.query<never>(sql, params);
      answer.catch((error) => {
        failed ??= error;
      });
      return answer;
    },
  };
  const expired = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => expired.reject(new Error(`It took longer than ${timeoutMs / 1000} s.`)),
    timeoutMs,
  );
  try {
    await Promise.race([(async () => call(guarded))(), expired.promise]);
    if (failed !== null) await tx.query('select').catch(() => Promise.reject(failed)); // its error was swallowed, and nothing can commit
  } catch (error) {
    if (error instanceof SeineError && error.kind === 'unavailable') throw error;
    throw new ApplyFailed(event, error);
  } finally {
    isOver = true;
    clearTimeout(timer);
  }
}

function callOf(projection: Projection, event: Found): ((tx: ProjectionTx) => unknown) | null {
  const { offset: _, workflowKey: __, part: ___, ...told } = event;
  const source = sourceOf(projection, told);
  if (source === null) return null;
  const { workflow } = source;
  return (tx) => {
    const { type: __type, ...data } = bodyOf(workflow, event);
    return projection.apply(tx, { ...told, schema: workflow.version, data });
  };
}
