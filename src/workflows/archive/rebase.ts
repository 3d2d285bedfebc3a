/**
 * A log in another database cluster than the one that wrote it.
 *
 * Readers go by the number of the transaction that wrote an event. Restored from a dump, events keep numbers of the old cluster; if the
 * new one counts from lower numbers, they seem to lie in the future: nobody may read them yet, and new ones come before them. This is
 * noticed, and mended once: all events get one number below every other, and keep their order by position; the readers begin at the
 * first event that was not reacted to.
 *
 * Crash: one transaction, so all of it or nothing.
 */
import { SeineError } from '../../base/errors.ts';
import type { Database, Queryable } from '../../db/database.ts';
import {
  isAhead,
  kindsInLog,
  lockLog,
  lockReaders,
  type Reading,
  rebaseProjections,
  rebaseReaders,
  renumberEvents,
} from './rebase-store.ts';

/** Throws when readers would wait for transactions that this cluster has not had yet. */
export async function refuseForeignLog(db: Queryable, workflows: readonly string[]): Promise<void> {
  if (!(await isAhead(db, workflows))) return;
  throw new SeineError('conflict', 'The event log was written by another database cluster than this one.', {
    hint: 'It was restored from a dump. With all runners stopped, once: seine partitions rebase',
  });
}

export interface Rebased {
  /** False: there was no need. */
  readonly changed: boolean;
  readonly events: number;
  readonly readers: number;
}

export function rebaseLog(db: Database): Promise<Rebased> {
  return db.tx(async (tx) => {
    await lockLog(tx);
    if (!(await isAhead(tx, await kindsInLog(tx)))) return { changed: false, events: 0, readers: 0 };
    const reading = await lockReaders(tx);
    if (reading.length > 0) throw stillReading(reading);
    const projections = await rebaseProjections(tx);
    const events = await renumberEvents(tx);
    return { changed: true, events, readers: projections + (await rebaseReaders(tx)) };
  });
}

function stillReading(reading: readonly Reading[]): SeineError {
  const who = reading.map(
    ({ workflow, host, pid }) => `${host === null ? 'somebody' : `${host}, pid ${pid}`} (${workflow})`,
  );
  return new SeineError('conflict', `The log is being read by ${who.join('; ')}.`, {
    hint: 'Stop all runners first, and those of the cluster it was dumped from as well.',
  });
}
