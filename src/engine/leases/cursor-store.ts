/**
 * Operations on many leases of one holder in one statement. Leases are always locked in the order of their
 * ids, so that concurrent statements on the same leases cannot deadlock.
 */
import { type Key, keyBytes } from '../../base/key.ts';
import type { Queryable, Tx } from '../../db/database.ts';
import type { HeldLease } from './lease.ts';
import { fenceArrays, type LeaseRow, toHeldLease } from './lease-store.ts';

export interface CursorMove {
  readonly held: HeldLease;
  readonly cursor: Key;
}

/**
 * Moves the cursors and renews the leases, each only if its token still owns it and its cursor is where
 * this holder left it. Returns only those that were moved; nothing that depends on the others may be
 * written.
 */
export async function checkpointLeases(
  tx: Tx,
  moves: readonly CursorMove[],
  ttlMs: number,
): Promise<HeldLease[]> {
  const { rows } = await tx.query<LeaseRow>(
    `with mine as materialized (
       select * from unnest($1::bigint[], $2::bigint[], $3::uuid[], $4::bigint[], $5::bytea[])
         as m(id, fencing_token, claim_id, checkpoint_seq, cursor)),
     locked as materialized (
       select lease.id from range_lease as lease
       join mine on mine.id = lease.id and mine.fencing_token = lease.fencing_token and mine.claim_id = lease.claim_id
       order by lease.id
       for no key update of lease)
     update range_lease as lease
     set cursor = mine.cursor, reserved_up_to = mine.cursor, checkpoint_seq = lease.checkpoint_seq + 1,
         claims_since_progress = case when lease.cursor = mine.cursor then lease.claims_since_progress else 0 end,
         errors_since_progress = case when lease.cursor = mine.cursor then lease.errors_since_progress else 0 end,
         cursor_moved_at = case when lease.cursor = mine.cursor then lease.cursor_moved_at else clock() end,
         expires_at = clock() + $6 * interval '1 millisecond', renewed_at = clock()
     from mine join locked on locked.id = mine.id
     where lease.id = mine.id and lease.fencing_token = mine.fencing_token and lease.claim_id = mine.claim_id
       and lease.checkpoint_seq = mine.checkpoint_seq and lease.state = 'held'
     returning lease.id, lease.group_id, lease.fencing_token, lease.claim_id, lease.checkpoint_seq, lease.cursor, lease.up_to, lease.reserved_up_to,
               lease.claims_since_progress, lease.errors_since_progress,
               (select paused from lease_group where lease_group.id = lease.group_id) as paused`,
    [
      ...fenceArrays(moves.map(({ held }) => held)),
      moves.map(({ held }) => held.checkpointSeq),
      moves.map(({ cursor }) => keyBytes(cursor)),
      ttlMs,
    ],
    'move_cursors',
  );
  return rows.map(toHeldLease);
}

/** Renews without moving the cursors. Returns the ids that are still held; the others are lost. */
export async function renewLeases(
  db: Queryable,
  held: readonly HeldLease[],
  ttlMs: number,
): Promise<Set<number>> {
  const { rows } = await db.query<{ id: number }>(
    `with locked as materialized (
       select lease.id from range_lease as lease join unnest($1::bigint[], $2::bigint[], $3::uuid[]) as mine(id, fencing_token, claim_id)
         on lease.id = mine.id and lease.fencing_token = mine.fencing_token and lease.claim_id = mine.claim_id
       where lease.state = 'held'
       order by lease.id
       for no key update of lease)
     update range_lease as lease set expires_at = clock() + $4 * interval '1 millisecond', renewed_at = clock()
     from locked
     where lease.id = locked.id
     returning lease.id`,
    [...fenceArrays(held), ttlMs],
    'renew_leases',
  );
  return new Set(rows.map(({ id }) => id));
}

/**
 * Releases the leases at their cursors and returns how many; the others were lost before. An orderly
 * release does not count as an attempt, unless the holder had failed without progress: restarting it must
 * not hide that.
 */
export async function releaseLeases(
  tx: Tx,
  held: readonly HeldLease[],
  { failed = false }: { readonly failed?: boolean } = {},
): Promise<number> {
  const { rowCount } = await tx.query(
    `with locked as materialized (
       select lease.id from range_lease as lease join unnest($1::bigint[], $2::bigint[], $3::uuid[]) as mine(id, fencing_token, claim_id)
         on lease.id = mine.id and lease.fencing_token = mine.fencing_token and lease.claim_id = mine.claim_id
       where lease.state = 'held'
       order by lease.id
       for no key update of lease)
     update range_lease as lease
     set state = 'waiting', holder = null, expires_at = null, claims_since_progress = greatest(lease.claims_since_progress - $4, 0)
     from locked
     where lease.id = locked.id`,
    [...fenceArrays(held), failed ? 0 : 1],
  );
  return rowCount;
}

/** Returns the current state of the leases that this holder still has. */
export async function rereadLeases(db: Queryable, held: readonly HeldLease[]): Promise<HeldLease[]> {
  const { rows } = await db.query<LeaseRow>(
    `select lease.id, group_id, lease.fencing_token, lease.claim_id, checkpoint_seq, cursor, up_to, reserved_up_to, claims_since_progress, errors_since_progress
     from range_lease as lease join unnest($1::bigint[], $2::bigint[], $3::uuid[]) as mine(id, fencing_token, claim_id)
       on lease.id = mine.id and lease.fencing_token = mine.fencing_token and lease.claim_id = mine.claim_id
     where state = 'held'`,
    fenceArrays(held),
  );
  return rows.map(toHeldLease);
}

/** Of these leases, those whose last holder crashed and that were not declared safe since. */
export async function crashedLeases(db: Queryable, held: readonly HeldLease[]): Promise<Set<number>> {
  const { rows } = await db.query<{ id: number }>(
    'select id from range_lease where id = any($1::bigint[]) and crashed',
    [held.map(({ id }) => id)],
  );
  return new Set(rows.map(({ id }) => id));
}

/** Everything that may have crashed the last holder was processed. */
export async function declareSafe(db: Queryable, held: readonly HeldLease[]): Promise<void> {
  await db.query(
    `with locked as materialized (
       select lease.id from range_lease as lease join unnest($1::bigint[], $2::bigint[], $3::uuid[]) as mine(id, fencing_token, claim_id)
         on lease.id = mine.id and lease.fencing_token = mine.fencing_token and lease.claim_id = mine.claim_id
       where lease.crashed
       order by lease.id
       for no key update of lease)
     update range_lease as lease set crashed = false from locked where lease.id = locked.id`,
    fenceArrays(held),
  );
}
