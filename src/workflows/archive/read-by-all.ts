/** Up to where all readers of a kind of workflow have read: what lies before may be deleted. */
import type { Database } from '../../db/database.ts';
import type { Offset } from '../../events/offset.ts';
import { readHorizon } from '../../events/read-store.ts';
import { slowestOffset } from '../partitions/layout-store.ts';
import { slowestBehind } from './archive-store.ts';

/** Null for a kind without readers; a reader that has nothing left to read holds nothing up. */
export async function readByAll(db: Database, workflow: string): Promise<Offset | null> {
  const horizon = await readHorizon(db); // before the look: what is written meanwhile lies beyond
  if ((await slowestOffset(db, workflow)) === null) return null;
  return (await slowestBehind(db, workflow)) ?? horizon;
}
