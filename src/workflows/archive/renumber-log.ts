/**
 * Repairs a log that was restored into another database cluster than the one that wrote it.
 *
 * Readers order events by the number of the transaction that wrote them. Restored from a dump, events keep numbers of the old cluster, which are
 * unrelated to those of the new one: events seem to lie in the future, or new ones sort before offsets that readers have passed and are never read. A
 * row records the transaction that wrote it (`log_origin`); after a restore, its xmin differs. Every append and every read checks that, so the log is
 * rejected from the start and not only once the numbers happen to conflict.
 *
 * The repair: all events get one number below every other, and keep their order by position; readers restart at the first event that was not reacted
 * to.
 *
 * Crash: one transaction, so all or nothing.
 */
import { SeineError } from '../../base/errors.ts';
import type { Database, Queryable } from '../../db/database.ts';
import { FOREIGN_LOG } from '../../db/db-error-codes.ts';
import { lockAgainstDeletion } from './deletion-store.ts';
import {
  adoptLog,
  isLogAhead,
  isOwnLog,
  type LogReader,
  lockLog,
  lockReaders,
  renumberEvents,
  resetProjectionOffsets,
  resetReaderOffsets,
  typesInLog,
} from './renumber-log-store.ts';

/** Throws when readers would wait for transactions that this cluster has not reached. */
export async function assertOwnLog(db: Queryable, workflows: readonly string[]): Promise<void> {
  if ((await isOwnLog(db)) && !(await isLogAhead(db, workflows))) return;
  const { kind, message, hint } = FOREIGN_LOG;
  throw new SeineError(kind, message, { hint });
}

export interface RenumberResult {
  /** False: no repair was needed. */
  readonly changed: boolean;
  readonly events: number;
  readonly readers: number;
}

export function renumberLog(db: Database): Promise<RenumberResult> {
  return db.tx(async (tx) => {
    await lockAgainstDeletion(tx); // because it resets projections
    await lockLog(tx);
    if ((await isOwnLog(tx)) && !(await isLogAhead(tx, await typesInLog(tx))))
      return { changed: false, events: 0, readers: 0 };
    const reading = await lockReaders(tx);
    if (reading.length > 0) throw activeReadersError(reading);
    const projections = await resetProjectionOffsets(tx);
    const events = await renumberEvents(tx);
    const readers = projections + (await resetReaderOffsets(tx));
    await adoptLog(tx);
    return { changed: true, events, readers };
  });
}

function activeReadersError(reading: readonly LogReader[]): SeineError {
  const who = reading.map(
    ({ workflow, host, pid }) => `${host === null ? 'an unknown host' : `${host}, pid ${pid}`} (${workflow})`,
  );
  return new SeineError('conflict', `The log is being read by ${who.join('; ')}.`, {
    hint: 'Stop all runners first, and those of the cluster it was dumped from as well.',
  });
}
