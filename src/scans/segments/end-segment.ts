/** The end of a part, in the transaction of its last checkpoint; with the last part, the end of its object. */
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

/** Only objects that are left to their parts are told. */
const ignoreEvents = () => {};

type EndingSegment = Pick<OpenSegment, 'parted' | 'judging'>;

/** What became of the object, if this was its last part. Everything of the part must be staged. `isolated` as in a checkpoint. */
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
  // Found under two sets of rules: good for this scan, nothing for a later one to rely on.
  const inspection = { ...whole, stable: whole.stable && sameRules };
  const tally = new CheckpointBatch(hash, storage);
  tally.add(parted.object, inspection);
  // It was listed by the shard that met it; everything else is said here.
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
 * The part was tried too often. The rest of it is left out, which makes its object dead, and the lease is given back:
 * whoever claims it next ends it. False: there is nothing left to leave out, or the lease is lost.
 */
export async function failSegment(tx: Tx, held: HeldLease, reason: string): Promise<boolean> {
  const cursor = await skipToEnd(tx, held);
  if (cursor === null) return false;
  const hole = { from: positionOf(cursor), to: positionOf(held.upTo!) };
  const dead = { ...notRead('dead', reason, false), evidence: { attempts: held.claimsSinceProgress } };
  await insertSegmentResult(tx, objectOf(cursor), held.id, toSegmentResult(hole, dead), null); // dead, so never in the inventory
  return releaseLease(tx, held);
}
