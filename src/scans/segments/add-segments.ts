import type { KeyCodec } from '../../base/sealed-key.ts';
import type { Tx } from '../../db/database.ts';
import { addLeases } from '../../engine/leases/lease-store.ts';
import { disableSplits } from '../../engine/leases/split-store.ts';
import { type SourceObject, SPARSE } from '../../sources/source.ts';
import { notRead } from '../results/inspection.ts';
import { addShards } from '../shard/shard-store.ts';
import { readableBytes, type SegmentedObject, type SegmentSizes, segmentRanges } from './segment.ts';
import { toSegmentResult } from './segment-result.ts';
import { insertSegmented, insertSegmentResult, setSegmentsLeft } from './segment-store.ts';

/** In the transaction of the checkpoint that passes the objects: from then on their parts can be claimed. How many there are. */
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

/** What is not to be read has its result from the beginning; it makes the object partial. */
async function skipRest(
  tx: Tx,
  segmented: SegmentedObject,
  lease: number,
  inventoryKey: string,
): Promise<void> {
  const rest = { from: readableBytes(segmented.object), to: segmented.object.size };
  if (rest.from === rest.to) return;
  const left = { ...notRead('skipped', SPARSE, true), outcome: 'partial' } as const;
  await insertSegmentResult(tx, segmented.id, lease, toSegmentResult(rest, left), inventoryKey);
}
