/** The end of a part, in the transaction of its last checkpoint; with the last part, the end of its object. */
import { type KeyStorage, PLAIN_KEYS } from '../../base/sealed-key.ts';
import type { Tx } from '../../db/database.ts';
import type { Held } from '../../engine/leases/lease.ts';
import { releaseLease } from '../../engine/leases/lease-store.ts';
import { type Inspection, notRead } from '../inspection.ts';
import type { InventoryHash } from '../inventory.ts';
import { StretchTally } from '../tally.ts';
import { writeIsolated } from '../write-isolated.ts';
import { writeTally } from '../write-tally.ts';
import { assemble } from './assemble.ts';
import type { OpenPart } from './open-part.ts';
import { blockKey, objectOf, positionOf } from './part.ts';
import { resultOf } from './part-result.ts';
import { insertResult, partEnded, removeParted, skipToEnd } from './part-store.ts';

/** Only objects that are left to their parts are told. */
const tellNothing = () => {};

type Part = Pick<OpenPart, 'parted' | 'judging'>;

/** What became of the object, if this was its last part. Everything of the part must be staged. `isolated` as in a checkpoint. */
export async function endPart(
  tx: Tx,
  held: Held,
  part: Part,
  hash: InventoryHash,
  inventoryKey: string,
  isolated = false,
  storage: KeyStorage = PLAIN_KEYS,
): Promise<Inspection | null> {
  const { parted, judging } = part;
  const { left, sameRules } = await partEnded(tx, parted.id);
  if (left > 0) return null;
  const whole = await assemble(tx, parted, judging);
  // Found under two sets of rules: good for this scan, nothing for a later one to rely on.
  const inspection = { ...whole, stable: whole.stable && sameRules };
  const tally = new StretchTally(hash, storage);
  tally.add(parted.object, inspection);
  // It was listed by the shard that met it; everything else is said here.
  const to = { cursor: storage.seal(blockKey(parted.object.key)), base: null, inventoryKey, retrying: false };
  await (isolated ? writeIsolated : writeTally)(tx, held, tally, to, tellNothing);
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
