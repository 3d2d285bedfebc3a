/** SQL statements of leases, one function each. The protocol is described in lease.ts. */
import { type Key, keyBytes, keyFromBytes } from '../../base/key.ts';
import type { Range } from '../../base/range.ts';
import type { Queryable, Tx } from '../../db/database.ts';
import type { HeldLease } from './lease.ts';

export interface LeaseRow {
  id: number;
  group_id: number;
  fencing_token: number;
  claim_id: string;
  checkpoint_seq: number;
  cursor: Buffer;
  up_to: Buffer | null;
  reserved_up_to: Buffer;
  claims_since_progress: number;
  errors_since_progress: number;
  paused?: boolean;
}

/**
 * Adds ranges to a group. They are claimable when the transaction commits. `parent`: the lease they were
 * split from.
 */
export async function addLeases(
  tx: Tx,
  groupId: number,
  ranges: readonly Range[],
  parent: number | null = null,
): Promise<number[]> {
  const { rows } = await tx.query<{ id: number }>(
    `insert into range_lease (tenant, group_id, parent, after_key, up_to, cursor, reserved_up_to, not_before, cursor_moved_at)
     select lease_group.tenant, lease_group.id, $4, r.after_key, r.up_to, r.after_key, r.after_key, clock(), clock()
     from lease_group, unnest($2::bytea[], $3::bytea[]) as r(after_key, up_to)
     where lease_group.id = $1
     returning id`,
    [
      groupId,
      ranges.map((r) => keyBytes(r.after)),
      ranges.map((r) => (r.upTo === null ? null : keyBytes(r.upTo))),
      parent,
    ],
  );
  await tx.query('update lease_group set remaining = remaining + $2 where id = $1', [groupId, rows.length]);
  return rows.map((row) => row.id);
}

/**
 * Moves the cursor, reserves the range up to the next checkpoint, and renews the lease, if this token still
 * owns it. Returns null when another worker took over. A checkpoint that was already applied (its
 * acknowledgement was lost) returns `repeated`; the caller must not write its results again.
 */
export async function checkpointLease(
  tx: Tx,
  held: HeldLease,
  to: { cursor: Key; reserved: Key; ttlMs: number },
): Promise<{ held: HeldLease; repeated: boolean } | null> {
  const { rows } = await tx.query<LeaseRow>(
    `update range_lease as lease
     set cursor = $4, reserved_up_to = $5, checkpoint_seq = checkpoint_seq + 1,
         claims_since_progress = case when cursor = $4 then claims_since_progress else 0 end,
         errors_since_progress = case when cursor = $4 then errors_since_progress else 0 end,
         cursor_moved_at = case when cursor = $4 then cursor_moved_at else clock() end,
         expires_at = clock() + $6 * interval '1 millisecond', renewed_at = clock()
     where id = $1 and fencing_token = $2 and checkpoint_seq = $3 and claim_id = $7 and state = 'held'
     returning id, group_id, fencing_token, claim_id, checkpoint_seq, cursor, up_to, reserved_up_to, claims_since_progress, errors_since_progress,
               (select paused from lease_group where lease_group.id = lease.group_id) as paused`,
    [
      held.id,
      held.fencingToken,
      held.checkpointSeq,
      keyBytes(to.cursor),
      keyBytes(to.reserved),
      to.ttlMs,
      held.claimId,
    ],
    'checkpoint',
  );
  if (rows[0]) return { held: toHeldLease(rows[0]), repeated: false };
  const applied = await readLease(tx, held, held.checkpointSeq + 1);
  return applied && { held: applied, repeated: true };
}

async function readLease(tx: Tx, held: HeldLease, step: number): Promise<HeldLease | null> {
  const { rows } = await tx.query<LeaseRow>(
    `select id, group_id, fencing_token, claim_id, checkpoint_seq, cursor, up_to, reserved_up_to, claims_since_progress, errors_since_progress,
            (select paused from lease_group where lease_group.id = lease.group_id) as paused
     from range_lease as lease
     where id = $1 and fencing_token = $2 and claim_id = $3 and checkpoint_seq = $4 and state = 'held'
     for update`,
    [...fenceParams(held), step],
  );
  return rows[0] ? toHeldLease(rows[0]) : null;
}

/**
 * Returns the current state of the lease if this claim still holds it: its counters change after the claim.
 */
export async function rereadLease(db: Queryable, held: HeldLease): Promise<HeldLease | null> {
  const { rows } = await db.query<LeaseRow>(
    `select id, group_id, fencing_token, claim_id, checkpoint_seq, cursor, up_to, reserved_up_to, claims_since_progress, errors_since_progress
     from range_lease
     where id = $1 and fencing_token = $2 and claim_id = $3 and state = 'held'`,
    fenceParams(held),
  );
  return rows[0] ? toHeldLease(rows[0]) : null;
}

/** Renews the lease while one object takes long. Returns false when it is lost. */
export async function renewLease(db: Queryable, held: HeldLease, ttlMs: number): Promise<boolean> {
  const { rowCount } = await db.query(
    `update range_lease set expires_at = clock() + $4 * interval '1 millisecond', renewed_at = clock()
     where id = $1 and fencing_token = $2 and claim_id = $3 and state = 'held'`,
    [...fenceParams(held), ttlMs],
  );
  return rowCount === 1;
}

/** Returns whether the claim is still valid. */
export async function isHeld(db: Queryable, held: HeldLease): Promise<boolean> {
  const { rowCount } = await db.query(
    `select from range_lease where id = $1 and fencing_token = $2 and claim_id = $3 and state = 'held'`,
    fenceParams(held),
  );
  return rowCount === 1;
}

/** Releases the lease at its cursor, claimable by any worker. An orderly release is not an attempt. */
export async function releaseLease(tx: Tx, held: HeldLease): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update range_lease set state = 'waiting', holder = null, expires_at = null, claims_since_progress = greatest(claims_since_progress - 1, 0)
     where id = $1 and fencing_token = $2 and claim_id = $3 and state = 'held'`,
    fenceParams(held),
  );
  return rowCount === 1;
}

/**
 * Completes the lease. Returns the number of leases that remain in its group, or null when the lease is
 * lost. Zero is returned exactly once.
 */
export async function completeLease(tx: Tx, held: HeldLease): Promise<number | null> {
  return (await completeLeases(tx, [held])).get(held.groupId) ?? null;
}

/**
 * Completes many. Returns what remains of each of their groups; a group of which all these are lost is
 * omitted.
 */
export async function completeLeases(tx: Tx, held: readonly HeldLease[]): Promise<Map<number, number>> {
  const { rows } = await tx.query<{ groupId: number; remaining: number }>(
    `with ended as (
       update range_lease as lease set state = 'done', holder = null, expires_at = null
       from unnest($1::bigint[], $2::bigint[], $3::uuid[]) as mine(id, fencing_token, claim_id)
       where lease.id = mine.id and lease.fencing_token = mine.fencing_token and lease.claim_id = mine.claim_id and lease.state = 'held'
       returning lease.group_id),
     counted as (select group_id, count(*)::integer as n from ended group by group_id),
     -- Locked in a fixed order, so that concurrent completions of the same groups cannot deadlock.
     locked as (
       select lease_group.id, counted.n from lease_group join counted on counted.group_id = lease_group.id
       order by lease_group.id
       for no key update of lease_group)
     update lease_group set remaining = remaining - locked.n from locked where lease_group.id = locked.id
     returning lease_group.id as "groupId", lease_group.remaining`,
    fenceArrays(held),
    'complete',
  );
  return new Map(rows.map(({ groupId, remaining }) => [groupId, remaining]));
}

/**
 * The longest delay of a lease. A `not_before` further ahead was written before the server's clock was set back: such a lease is
 * claimable at once.
 */
export const MAX_DELAY_MS = 60_000;

/** Releases the lease with a delay. Returns null when it is lost. */
export async function releaseWithBackoff(
  db: Queryable,
  held: HeldLease,
  error: string,
  delayMs: number,
): Promise<number | null> {
  const { rowCount } = await db.query(
    `update range_lease
     set state = 'waiting', holder = null, expires_at = null, error = $4, errors_since_progress = errors_since_progress + 1,
         not_before = clock() + $5 * interval '1 millisecond'
     where id = $1 and fencing_token = $2 and claim_id = $3 and state = 'held'`,
    [...fenceParams(held), error, Math.min(delayMs, MAX_DELAY_MS)],
  );
  return rowCount;
}

/** Fails the lease. It counts as ended, so that the group always ends, and the group records the gap. */
export async function failLease(tx: Tx, held: HeldLease, error: string): Promise<number | null> {
  const { rows } = await tx.query<{ remaining: number }>(
    `with ended as (
       update range_lease set state = 'failed', holder = null, expires_at = null, error = $4
       where id = $1 and fencing_token = $2 and claim_id = $3 and state = 'held'
       returning group_id)
     update lease_group set remaining = remaining - 1, failed = failed + 1 from ended where lease_group.id = ended.group_id
     returning lease_group.remaining`,
    [...fenceParams(held), error],
  );
  return rows[0]?.remaining ?? null;
}

export function toHeldLease(row: LeaseRow): HeldLease {
  return {
    id: row.id,
    groupId: row.group_id,
    fencingToken: row.fencing_token,
    claimId: row.claim_id,
    checkpointSeq: row.checkpoint_seq,
    cursor: keyFromBytes(row.cursor),
    upTo: row.up_to && keyFromBytes(row.up_to),
    previousReservedUpTo: keyFromBytes(row.reserved_up_to),
    claimsSinceProgress: row.claims_since_progress,
    errorsSinceProgress: row.errors_since_progress,
    paused: row.paused ?? false,
  };
}

/** The fence of every write of a holder: the first three parameters of its statement. */
export function fenceParams(held: HeldLease): [id: number, token: number, claimId: string] {
  return [held.id, held.fencingToken, held.claimId];
}

/** The same for many leases, for `unnest($1::bigint[], $2::bigint[], $3::uuid[])`. */
export function fenceArrays(held: readonly HeldLease[]): [number[], number[], string[]] {
  return [
    held.map(({ id }) => id),
    held.map(({ fencingToken }) => fencingToken),
    held.map(({ claimId }) => claimId),
  ];
}
