/** The offset up to which all readers of a workflow type have read: events before it may be deleted. */
import type { Database } from '../../db/database.ts';
import type { Offset } from '../../events/offset.ts';
import { readLastStableOffset } from '../../events/read-store.ts';
import { minReaderOffset } from '../partitions/partitioning-store.ts';
import { minLaggingOffset } from './archive-store.ts';

/** Null for a type without readers. Readers without lag don't limit the offset. */
export async function minReadOffset(db: Database, workflow: string): Promise<Offset | null> {
  const stableOffset = await readLastStableOffset(db); // read first: events written meanwhile lie after it
  if ((await minReaderOffset(db, workflow)) === null) return null;
  return (await minLaggingOffset(db, workflow)) ?? stableOffset;
}
