/**
 * The data plane's only write. Cursor, lease, ledger, findings and inventory move in one transaction, guarded by the
 * lease's token: a crash repeats work and loses none, and a worker that lost its lease writes nothing.
 */
import { SeineError } from '../base/errors.ts';
import type { Key } from '../base/key.ts';
import type { Tx } from '../db/database.ts';
import type { Held } from '../engine/leases/lease.ts';
import { checkpointLease } from '../engine/leases/lease-store.ts';
import { writeBlock } from './inventory-store.ts';
import {
  addToLedger,
  addToShard,
  type Carried,
  carryOver,
  insertFindings,
  insertObjects,
} from './result-store.ts';
import type { StretchTally } from './tally.ts';

export interface CheckpointTo {
  readonly cursor: Key;
  readonly reserved: Key;
  readonly ttlMs: number;
  /** What happened in `(held.cursor, cursor]`. */
  readonly tally: StretchTally;
  /** The scan that unchanged objects are carried over from. */
  readonly base: number | null;
}

/** Null: the lease is lost, nothing was written. */
export async function checkpoint(tx: Tx, held: Held, to: CheckpointTo): Promise<Held | null> {
  const moved = await checkpointLease(tx, held, to);
  if (!moved || moved.repeated) return moved?.held ?? null;
  if (to.tally.listed > 0) await writeTally(tx, held, to);
  return moved.held;
}

async function writeTally(tx: Tx, held: Held, { tally, base, cursor }: CheckpointTo): Promise<void> {
  const scan = held.work;
  const carried = await carry(tx, scan, base, tally.carried);
  if (tally.notable.length > 0) {
    const ids = await insertObjects(tx, scan, tally.notable);
    await insertFindings(tx, scan, tally.notable, ids);
  }
  const block = tally.block();
  if (block) await writeBlock(tx, scan, cursor, block);
  await addToLedger(tx, scan, held.id, tally.ledger(carried));
  await addToShard(tx, held.id, tally.listed, tally.bytesRead);
}

async function carry(tx: Tx, scan: number, base: number | null, keys: readonly Key[]): Promise<Carried[]> {
  if (keys.length === 0) return [];
  const rows = base === null ? [] : await carryOver(tx, scan, base, keys);
  if (rows.length === keys.length) return rows;
  throw new SeineError(
    'internal',
    `The base scan ${base} no longer knows ${keys.length - rows.length} of its objects.`,
    {
      hint: 'Scan again with --full, so that every object is read.',
    },
  );
}
