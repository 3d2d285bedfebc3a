/** Splits off a part of the remaining range of another holder's lease. See "Reserved" in lease.ts. */
import { type Key, keyBytes, keyFromBytes } from '../../base/key.ts';
import type { Range } from '../../base/range.ts';
import { type KeyCodec, PLAIN_KEYS } from '../../base/sealed-key.ts';
import type { Queryable, Tx } from '../../db/database.ts';
import { addLeases } from './lease-store.ts';

export interface SplittableLease {
  readonly id: number;
  /** The range beyond the reservation. */
  readonly free: Range;
}

/**
 * One of the keys is in sealed form (base/key.ts), which does not sort as the name does, so stored keys
 * can't be compared.
 */
const SEALED = String.raw`position('\x007e'::bytea in lease.reserved_up_to || lease.up_to) > 0`;

/** The holder has made progress: the reservation has moved, whether keys are sealed or not. */
export const IS_BEGUN = 'lease.reserved_up_to <> lease.after_key';

/**
 * Something is left beyond the reservation. For sealed keys this is only assumed; the caller checks again
 * after decrypting them.
 */
export const HAS_FREE = `(lease.up_to is null or lease.reserved_up_to <> lease.up_to and (lease.reserved_up_to < lease.up_to or ${SEALED}))`;

/**
 * The leases of a group that can be split, with `(reserved, upTo]` free. Leases with a valid split lock are
 * skipped.
 */
export async function splittableLeases(
  db: Queryable,
  groupId: number,
  which: 'held' | 'also waiting' = 'held',
): Promise<SplittableLease[]> {
  const { rows } = await db.query<{ id: number; reserved_up_to: Buffer; up_to: Buffer | null }>(
    `select id, reserved_up_to, up_to from range_lease as lease
     where group_id = $1 and not no_split
       and ((state = 'held' and ${IS_BEGUN}) or ($2 and state in ('held', 'waiting')))
       and ${HAS_FREE}
       and split_lock_expired(split_lock_until)
     order by id
     limit 200`,
    [groupId, which === 'also waiting'],
  );
  return rows.map((row) => ({
    id: row.id,
    free: { after: keyFromBytes(row.reserved_up_to), upTo: row.up_to && keyFromBytes(row.up_to) },
  }));
}

/**
 * Split lock: one worker probes a lease at a time. Expires after `forMs`, so that a crashed worker can't
 * block splits.
 */
export async function acquireSplitLock(db: Queryable, id: number, forMs: number): Promise<boolean> {
  const { rowCount } = await db.query(
    `update range_lease set split_lock_until = clock() + $2 * interval '1 millisecond'
     where id = $1 and state in ('held', 'waiting') and split_lock_expired(split_lock_until)`,
    [id, forMs],
  );
  return rowCount === 1;
}

/** Releases the split lock, at once or after a delay. */
export async function releaseSplitLock(db: Queryable, id: number, afterMs = 0): Promise<void> {
  await db.query(
    `update range_lease set split_lock_until = clock() + $2 * interval '1 millisecond' where id = $1`,
    [id, afterMs],
  );
}

/**
 * Splits the lease at `mid`: it keeps `(…, mid]`, a new waiting lease gets `(mid, upTo]`. Returns null when
 * the holder has reserved past `mid` meanwhile or the lease has ended.
 */
export async function splitLease(tx: Tx, id: number, mid: Key): Promise<number | null> {
  const [added] = await splitLeaseAt(tx, id, [mid]);
  return added?.id ?? null;
}

/**
 * Splits at several keys; those that the holder has passed, or that are beyond the end, are skipped.
 * Returns the new leases in order, each with the key it starts after.
 */
export async function splitLeaseAt(
  tx: Tx,
  id: number,
  splitPoints: readonly Key[],
  storage: KeyCodec = PLAIN_KEYS,
): Promise<{ id: number; after: Key }[]> {
  const lease = await lockForSplit(tx, id, storage);
  if (lease === null) return [];
  const { after, upTo } = lease.free;
  const free = [...new Set(splitPoints)].sort().filter((cut) => cut > after && (upTo === null || cut < upTo));
  if (free.length === 0) return [];
  await tx.query('update range_lease set up_to = $2 where id = $1', [id, keyBytes(storage.seal(free[0]!))]);
  const stored = [...free, ...(upTo === null ? [] : [upTo])].map((key) => storage.seal(key));
  const ranges = free.map((_, i) => ({ after: stored[i]!, upTo: stored[i + 1] ?? null }));
  const added = await addLeases(tx, lease.groupId, ranges, id);
  return added.map((one, i) => ({ id: one, after: free[i]! }));
}

/**
 * Locks the lease and returns the range that may be split off; checkpoints of its holder wait until the
 * transaction ends.
 */
async function lockForSplit(
  tx: Tx,
  id: number,
  storage: KeyCodec,
): Promise<{ groupId: number; free: Range } | null> {
  const { rows } = await tx.query<{ group_id: number; reserved_up_to: Buffer; up_to: Buffer | null }>(
    `select group_id, reserved_up_to, up_to from range_lease where id = $1 and state in ('held', 'waiting') and not no_split for update`,
    [id],
  );
  const row = rows[0];
  if (!row) return null;
  return {
    groupId: row.group_id,
    free: {
      after: storage.open(keyFromBytes(row.reserved_up_to)),
      upTo: row.up_to && storage.open(keyFromBytes(row.up_to)),
    },
  };
}

/** Excludes these leases from splits permanently. */
export async function disableSplits(tx: Tx, ids: readonly number[]): Promise<void> {
  await tx.query('update range_lease set no_split = true where id = any($1::bigint[])', [ids]);
}
