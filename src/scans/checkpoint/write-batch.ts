/**
 * Writes the rows of a window of objects: findings, outcomes and inventory. Runs inside a checkpoint's
 * transaction.
 */
import { SeineError } from '../../base/errors.ts';
import type { Key } from '../../base/key.ts';
import type { KeyCodec } from '../../base/sealed-key.ts';
import type { Tx } from '../../db/database.ts';
import type { HeldLease } from '../../engine/leases/lease.ts';
import { addDeadObjects, resolveDeadObjects } from '../dead-letters/object-letter-store.ts';
import { writeBlock } from '../inventory/inventory-store.ts';
import type { AppendScanEvent } from '../lifecycle/scan-events.ts';
import type { LedgerLine } from '../results/report.ts';
import { addSegments } from '../segments/add-segments.ts';
import type { CheckpointBatch } from './checkpoint-batch.ts';
import {
  addToLedger,
  type CopiedObject,
  copyForward,
  insertFindings,
  insertObjects,
  removeObjects,
} from './result-store.ts';

export interface BatchContext {
  /** The last key of the inventory block, in stored form. */
  readonly cursor: Key;
  /** The scan that unchanged objects are carried over from. */
  readonly base: number | null;
  /** Identifies the scan's rules and the versions of this process. */
  readonly inventoryKey: string;
  /** The objects were counted before, as dead: the new results replace those. */
  readonly retrying: boolean;
  readonly storage?: KeyCodec;
}

/**
 * Changes no state outside the transaction until everything is written: `write-isolated.ts` may roll back a
 * failed call and repeat it.
 */
export async function writeBatch(
  tx: Tx,
  held: HeldLease,
  tally: CheckpointBatch,
  to: BatchContext,
  appendEvent: AppendScanEvent,
): Promise<void> {
  const scan = held.groupId;
  const before = to.retrying ? await removeEarlierResults(tx, scan, tally.keysOfAllVersions) : [];
  const carried = await copyUnchanged(tx, scan, to.base, tally.unchangedKeys);
  if (tally.notable.length > 0) {
    const ids = await insertObjects(tx, scan, tally.notable);
    await insertFindings(tx, scan, tally.notable, ids);
    const dead = tally.notable.filter((object) => object.inspection.outcome === 'dead');
    if (dead.length > 0) await addDeadObjects(tx, scan, held.id, dead);
  }
  const block = to.retrying ? null : tally.block();
  if (block) {
    const { cursor: upTo, inventoryKey } = to;
    await writeBlock(tx, scan, { upTo, entries: block, subThreshold: tally.subThreshold(), inventoryKey });
  }
  const shards = await addSegments(tx, scan, tally.segmented, to.inventoryKey, undefined, to.storage);
  await addToLedger(tx, scan, held.id, [...tally.ledger(carried), ...before]);
  if (shards > 0) appendEvent(scan, { type: 'parted', objects: tally.segmented.length, shards });
}

/**
 * Removes earlier results of objects that are inspected again. Returns the coverage counts that undo them.
 */
export async function removeEarlierResults(
  tx: Tx,
  scan: number,
  keys: readonly Key[],
): Promise<LedgerLine[]> {
  const before = await removeObjects(tx, scan, keys);
  await resolveDeadObjects(tx, scan, keys);
  return before.map((line) => ({ ...line, objects: -line.objects, bytes: -line.bytes }));
}

async function copyUnchanged(
  tx: Tx,
  scan: number,
  base: number | null,
  keys: readonly Key[],
): Promise<CopiedObject[]> {
  if (keys.length === 0) return [];
  const rows = base === null ? [] : await copyForward(tx, scan, base, keys);
  if (rows.length === keys.length) return rows;
  throw new SeineError(
    'internal',
    `The base scan ${base} no longer knows ${keys.length - rows.length} of its objects.`,
    {
      hint: 'Scan again with --full, so that every object is read.',
    },
  );
}
