/** The end of a part, in the transaction of its last checkpoint; with the last part, the end of its object. */
import type { Tx } from '../../db/database.ts';
import type { Held } from '../../engine/leases/lease.ts';
import { releaseLease } from '../../engine/leases/lease-store.ts';
import { addDeadObjects } from '../dead-letters/object-letter-store.ts';
import { type Inspection, notRead } from '../inspection.ts';
import type { InventoryHash } from '../inventory.ts';
import { writeBlock } from '../inventory-store.ts';
import { addToLedger, insertFindings, insertObjects } from '../result-store.ts';
import { StretchTally } from '../tally.ts';
import { assemble } from './assemble.ts';
import type { OpenPart } from './open-part.ts';
import { blockKey, objectOf, type PartedObject, positionOf } from './part.ts';
import { resultOf } from './part-result.ts';
import { insertResult, partEnded, removeParted, skipToEnd } from './part-store.ts';

type Part = Pick<OpenPart, 'parted' | 'judging'>;

/** What became of the object, if this was its last part. Everything of the part must be staged. */
export async function endPart(
  tx: Tx,
  held: Held,
  part: Part,
  hash: InventoryHash,
  inventoryKey: string,
): Promise<Inspection | null> {
  const { parted, judging } = part;
  const { left, sameRules } = await partEnded(tx, parted.id);
  if (left > 0) return null;
  const whole = await assemble(tx, parted, judging);
  // Found under two sets of rules: good for this scan, nothing for a later one to rely on.
  const inspection = { ...whole, stable: whole.stable && sameRules };
  await writeObject(tx, held, parted, inspection, hash, inventoryKey);
  await removeParted(tx, parted.id);
  return inspection;
}

/**
 * The part was tried too often. The rest of it is left out, which makes its object dead, and the lease is given back:
 * whoever claims it next ends it. False: there is nothing left to leave out, or the lease is lost.
 */
export async function giveUpPart(tx: Tx, held: Held, reason: string): Promise<boolean> {
  const cursor = await skipToEnd(tx, held);
  if (cursor === null) return false;
  const hole = { from: positionOf(cursor), to: positionOf(held.upTo!) };
  const dead = { ...notRead('dead', reason, false), evidence: { attempts: held.attempts } };
  await insertResult(tx, objectOf(cursor), held.id, resultOf(hole, dead), null); // dead, so never in the inventory
  return releaseLease(tx, held);
}

/** It was listed by the shard that met it; everything else is said here. */
async function writeObject(
  tx: Tx,
  held: Held,
  { object }: PartedObject,
  inspection: Inspection,
  hash: InventoryHash,
  inventoryKey: string,
): Promise<void> {
  const tally = new StretchTally(hash);
  tally.add(object, inspection);
  const ids = await insertObjects(tx, held.work, tally.notable);
  await insertFindings(tx, held.work, tally.notable, ids);
  if (inspection.outcome === 'dead') await addDeadObjects(tx, held.work, held.id, tally.notable);
  const block = tally.block();
  if (block) {
    const upTo = blockKey(object.key);
    await writeBlock(tx, held.work, { upTo, entries: block, faint: tally.faint(), inventoryKey });
  }
  await addToLedger(tx, held.work, held.id, tally.ledger([]));
}
