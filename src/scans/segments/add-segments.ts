import type { KeyCodec } from '../../base/sealed-key.ts';
import type { Tx } from '../../db/database.ts';
import { addLeases } from '../../engine/leases/lease-store.ts';
import { disableSplits } from '../../engine/leases/split-store.ts';
import type { SourceObject } from '../../sources/source.ts';
import { notRead } from '../results/inspection.ts';
import { addShards } from '../shard/shard-store.ts';
import { readableBytes, type SegmentedObject, type SegmentSizes, segmentRanges } from './segment.ts';
import { toSegmentResult } from './segment-result.ts';
import { insertSegmented, insertSegmentResult, setSegmentsLeft } from './segment-store.ts';

/**
 * Called in the transaction of the checkpoint that passes the objects: on commit their segments become
 * claimable. Returns how many there are.
 */
export async function addSegments(
  tx: Tx,
  scan: number,
  objects: readonly SourceObject[],
  inventoryKey: string,
  cutting?: SegmentSizes,
  storage?: KeyCodec,
): Promise<number> {
  let shards = 0;
  for (const object of objects) {
    const segmented = await insertSegmented(tx, scan, object, storage);
    const leases = await addLeases(tx, scan, segmentRanges(segmented, cutting));
    await disableSplits(tx, leases);
    await setSegmentsLeft(tx, segmented.id, leases.length);
    await addShards(tx, scan, leases, 'part');
    await skipRest(tx, segmented, leases.at(-1)!, inventoryKey);
    shards += leases.length;
  }
  return shards;
}

/** Stores the result of the part that is not to be read at the start; it makes the object partial. */
async function skipRest(
  tx: Tx,
  segmented: SegmentedObject,
  lease: number,
  inventoryKey: string,
): Promise<void> {
  const rest = { from: readableBytes(segmented.object), to: segmented.object.size };
  if (rest.from === rest.to) return;
  const left = { ...notRead('skipped', 'sparse-file', true), outcome: 'partial' } as const;
  await insertSegmentResult(tx, segmented.id, lease, toSegmentResult(rest, left), inventoryKey);
}
