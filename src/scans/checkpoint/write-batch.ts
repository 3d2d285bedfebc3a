/** The rows of a stretch of objects: what was found, what became of each, and the inventory. Inside a checkpoint's transaction. */
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
  /** The key that the block of the inventory ends with, as it is stored. */
  readonly cursor: Key;
  /** The scan that unchanged objects are carried over from. */
  readonly base: number | null;
  /** Of the scan's rules, by the versions of this process. */
  readonly inventoryKey: string;
  /** The objects were counted before, as dead: what is written now replaces that. */
  readonly retrying: boolean;
  readonly storage?: KeyCodec;
}

/** Tells only when everything is written: `write-isolated.ts` may undo a call that fails and make another. */
export async function writeBatch(
  tx: Tx,
  held: HeldLease,
  tally: CheckpointBatch,
  to: BatchContext,
  appendEvent: AppendScanEvent,
): Promise<void> {
  const scan = held.work;
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
    await writeBlock(tx, scan, { upTo, entries: block, faint: tally.subThreshold(), inventoryKey });
  }
  const shards = await addSegments(tx, scan, tally.segmented, to.inventoryKey, undefined, to.storage);
  await addToLedger(tx, scan, held.id, [...tally.ledger(carried), ...before]);
  if (shards > 0) appendEvent(scan, { type: 'parted', objects: tally.segmented.length, shards });
}

/** Removes what was written about objects that are looked at again; the ledger lines that undo their old ones. */
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
