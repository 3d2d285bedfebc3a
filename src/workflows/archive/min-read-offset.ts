/** Up to where all readers of a kind of workflow have read: what lies before may be deleted. */
import type { Database } from '../../db/database.ts';
import type { Offset } from '../../events/offset.ts';
import { readLastStableOffset } from '../../events/read-store.ts';
import { minReaderOffset } from '../partitions/partitioning-store.ts';
import { minLaggingOffset } from './archive-store.ts';

/** Null for a kind without readers; a reader that has nothing left to read holds nothing up. */
export async function minReadOffset(db: Database, workflow: string): Promise<Offset | null> {
  const horizon = await readLastStableOffset(db); // before the look: what is written meanwhile lies beyond
  if ((await minReaderOffset(db, workflow)) === null) return null;
  return (await minLaggingOffset(db, workflow)) ?? horizon;
}
