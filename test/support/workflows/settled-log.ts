import { type Database, one } from '../../../src/db/database.ts';
import { readLastStableOffset } from '../../../src/events/read-store.ts';
import { waitUntil } from '../wait-for.ts';

/**
 * Resolves when every event can be read. Reads end at the start of the oldest transaction of the whole server: those of other tests may
 * hide for a moment what has just been committed.
 */
export async function settledLog(db: Database): Promise<void> {
  const { xid } = await one<{ xid: string }>(
    db,
    'select coalesce(max(xid), 0::text::xid8) as xid from event',
  );
  await waitUntil(
    'every event to be readable',
    async () => (await readLastStableOffset(db)).xid >= BigInt(xid),
  );
}
