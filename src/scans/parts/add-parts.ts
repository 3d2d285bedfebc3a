import type { KeyStorage } from '../../base/sealed-key.ts';
import type { Tx } from '../../db/database.ts';
import { addLeases } from '../../engine/leases/lease-store.ts';
import { fixLeases } from '../../engine/leases/split-store.ts';
import { type SourceObject, SPARSE } from '../../sources/source.ts';
import { notRead } from '../inspection.ts';
import { addShards } from '../shard-store.ts';
import { type Cutting, type PartedObject, partRanges, readableBytes } from './part.ts';
import { resultOf } from './part-result.ts';
import { insertParted, insertResult, setPartsLeft } from './part-store.ts';

/** In the transaction of the checkpoint that passes the objects: from then on their parts can be claimed. How many there are. */
export async function addParts(
  tx: Tx,
  scan: number,
  objects: readonly SourceObject[],
  inventoryKey: string,
  cutting?: Cutting,
  storage?: KeyStorage,
): Promise<number> {
  let shards = 0;
  for (const object of objects) {
    const parted = await insertParted(tx, scan, object, storage);
    const leases = await addLeases(tx, scan, partRanges(parted, cutting));
    await fixLeases(tx, leases);
    await setPartsLeft(tx, parted.id, leases.length);
    await addShards(tx, scan, leases, 'part');
    await leaveOutRest(tx, parted, leases.at(-1)!, inventoryKey);
    shards += leases.length;
  }
  return shards;
}

/** What is not to be read has its result from the beginning; it makes the object partial. */
async function leaveOutRest(
  tx: Tx,
  parted: PartedObject,
  lease: number,
  inventoryKey: string,
): Promise<void> {
  const rest = { from: readableBytes(parted.object), to: parted.object.size };
  if (rest.from === rest.to) return;
  const left = { ...notRead('skipped', SPARSE, true), outcome: 'partial' } as const;
  await insertResult(tx, parted.id, lease, resultOf(rest, left), inventoryKey);
}
