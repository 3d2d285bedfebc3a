import type { Tx } from '../../db/database.ts';
import { addLeases } from '../../engine/leases/lease-store.ts';
import { fixLeases } from '../../engine/leases/split-store.ts';
import type { SourceObject } from '../../sources/source.ts';
import { addShards } from '../shard-store.ts';
import { type Cutting, partRanges } from './part.ts';
import { insertParted, setPartsLeft } from './part-store.ts';

/** In the transaction of the checkpoint that passes the objects: from then on their parts can be claimed. How many there are. */
export async function addParts(
  tx: Tx,
  scan: number,
  objects: readonly SourceObject[],
  cutting?: Cutting,
): Promise<number> {
  let shards = 0;
  for (const object of objects) {
    const parted = await insertParted(tx, scan, object);
    const leases = await addLeases(tx, scan, partRanges(parted, cutting));
    await fixLeases(tx, leases);
    await setPartsLeft(tx, parted.id, leases.length);
    await addShards(tx, scan, leases, 'part');
    shards += leases.length;
  }
  return shards;
}
