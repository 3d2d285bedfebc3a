/** Ends a segment, in the transaction of its last checkpoint; with the last segment, ends its object. */
import { type KeyCodec, PLAIN_KEYS } from '../../base/sealed-key.ts';
import type { Tx } from '../../db/database.ts';
import type { HeldLease } from '../../engine/leases/lease.ts';
import { releaseLease } from '../../engine/leases/lease-store.ts';
import { CheckpointBatch } from '../checkpoint/checkpoint-batch.ts';
import { writeBatch } from '../checkpoint/write-batch.ts';
import { writeIsolated } from '../checkpoint/write-isolated.ts';
import type { InventoryHash } from '../inventory/inventory.ts';
import { type Inspection, notRead } from '../results/inspection.ts';
import { assembleSegments } from './assemble-segments.ts';
import type { OpenSegment } from './open-segment.ts';
import { lateBlockKey, objectOf, positionOf } from './segment.ts';
import { toSegmentResult } from './segment-result.ts';
import { countEndedSegment, insertSegmentResult, removeSegmented, skipToEnd } from './segment-store.ts';

/** Only events of objects without segments are recorded. */
const ignoreEvents = () => {};

type EndingSegment = Pick<OpenSegment, 'parted' | 'judging'>;

/**
 * Returns the outcome of the object if this was its last segment. All results of the segment must be
 * staged. `isolated` as in a checkpoint.
 */
export async function endSegment(
  tx: Tx,
  held: HeldLease,
  segment: EndingSegment,
  hash: InventoryHash,
  inventoryKey: string,
  isolated = false,
  storage: KeyCodec = PLAIN_KEYS,
): Promise<Inspection | null> {
  const { parted, judging } = segment;
  const { left, sameRules } = await countEndedSegment(tx, parted.id);
  if (left > 0) return null;
  const whole = await assembleSegments(tx, parted, judging);
  // Found under two sets of rules: valid for this scan, but not for the inventory.
  const inspection = { ...whole, stable: whole.stable && sameRules };
  const tally = new CheckpointBatch(hash, storage);
  tally.add(parted.object, inspection);
  // It was listed by its original shard; everything else is counted here.
  const to = {
    cursor: storage.seal(lateBlockKey(parted.object.key)),
    base: null,
    inventoryKey,
    retrying: false,
  };
  await (isolated ? writeIsolated : writeBatch)(tx, held, tally, to, ignoreEvents);
  await removeSegmented(tx, parted.id);
  return inspection;
}

/**
 * Handles a segment that failed too often: the rest of it is left out, which makes its object dead, and the
 * lease is released, so that the next claim ends it. Returns false if nothing is left, or the lease is
 * lost.
 */
export async function failSegment(tx: Tx, held: HeldLease, reason: string): Promise<boolean> {
  const cursor = await skipToEnd(tx, held);
  if (cursor === null) return false;
  const hole = { from: positionOf(cursor), to: positionOf(held.upTo!) };
  const dead = { ...notRead('dead', reason, false), evidence: { attempts: held.claimsSinceProgress } };
  await insertSegmentResult(tx, objectOf(cursor), held.id, toSegmentResult(hole, dead), null); // dead, so never in the inventory
  return releaseLease(tx, held);
}
