/** The end of a part, in the transaction of its last checkpoint; with the last part, the end of its object. */
import { type Key, keyOf } from '../../base/key.ts';
import type { Tx } from '../../db/database.ts';
import type { Held } from '../../engine/leases/lease.ts';
import { checkpointLease, completeLease } from '../../engine/leases/lease-store.ts';
import { addDeadObjects } from '../dead-letters/object-letter-store.ts';
import { type Inspection, notRead } from '../inspection.ts';
import type { InventoryHash } from '../inventory.ts';
import { writeBlock } from '../inventory-store.ts';
import { addToLedger, insertFindings, insertObjects } from '../result-store.ts';
import { StretchTally } from '../tally.ts';
import { assemble, type Judging } from './assemble.ts';
import { type PartedObject, positionOf } from './part.ts';
import { resultOf } from './part-result.ts';
import { insertResult, partEnded, removeParted } from './part-store.ts';

export interface EndingTools extends Judging {
  readonly hash: InventoryHash;
}

/** What became of the object, if this was its last part. Everything of the part must be staged. */
export async function endPart(
  tx: Tx,
  held: Held,
  parted: PartedObject,
  tools: EndingTools,
): Promise<Inspection | null> {
  if ((await partEnded(tx, parted.id)) > 0) return null;
  const inspection = await assemble(tx, parted, tools);
  await writeObject(tx, held, parted, inspection, tools.hash);
  await removeParted(tx, parted.id);
  return inspection;
}

/**
 * The part can't be finished: its object is dead, and can be retried like any other. How many leases of the work
 * remain, or null when the lease is lost.
 */
export async function giveUpPart(
  tx: Tx,
  held: Held,
  parted: PartedObject,
  tools: EndingTools,
  reason: string,
): Promise<number | null> {
  const end = held.upTo!;
  const moved = await checkpointLease(tx, held, { cursor: end, reserved: end, ttlMs: 0 });
  if (!moved || moved.repeated) return null;
  const hole = { from: positionOf(held.cursor), to: positionOf(end) };
  const dead = { ...notRead('dead', reason, false), evidence: { attempts: held.attempts } };
  await insertResult(tx, parted.id, held.id, resultOf(hole, dead));
  await endPart(tx, held, parted, tools);
  return completeLease(tx, moved.held);
}

/** It was listed by the shard that met it; everything else is said here. */
async function writeObject(
  tx: Tx,
  held: Held,
  { object }: PartedObject,
  inspection: Inspection,
  hash: InventoryHash,
): Promise<void> {
  const tally = new StretchTally(hash);
  tally.add(object, inspection);
  const ids = await insertObjects(tx, held.work, tally.notable);
  await insertFindings(tx, held.work, tally.notable, ids);
  if (inspection.outcome === 'dead') await addDeadObjects(tx, held.work, held.id, tally.notable);
  const block = tally.block();
  if (block) await writeBlock(tx, held.work, blockKey(object.key), block);
  await addToLedger(tx, held.work, held.id, tally.ledger([]));
}

/** The block of an object that was read by parts comes late, so it stands alone, directly behind its key. */
export function blockKey(object: Key): Key {
  return (object + keyOf('\0')) as Key;
}
