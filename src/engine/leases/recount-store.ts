/**
 * Counts held leases for all claimers of a kind, about once a second, while there are too many to be
 * counted by every claim. The same pass requeues expired leases, because such claims don't scan for them.
 */
import type { Database, Tx } from '../../db/database.ts';

/** Up to this many held leases of a kind, every claim reads them itself. */
export const EXACT_LEASES = 500;
/**
 * Counts older than this are outdated. It bounds the delay of fair shares and of the takeover of expired
 * leases.
 */
export const RECOUNT_AFTER_MS = 1000;

/**
 * If no process has counted for this long, the database may have been unreachable and live holders are
 * about to renew: no expired lease is requeued for GRACE_MS. Otherwise the first claim after an outage
 * would cost every live holder its lease.
 */
const GAP_MS = 5000;
const GRACE_MS = 10_000;
/** Maximum number of leases requeued by one count. */
const MAX_REQUEUED = 500;

/** Returns how many expired leases were requeued; 0 when another process counts at the same moment. */
export function recountHeldLeases(db: Database, kind: string): Promise<number> {
  return db.tx(async (tx) => {
    if (!(await lockCounts(tx, kind)) || !(await isDue(tx, kind))) return 0;
    const requeued = (await mayRequeue(tx, kind)) ? await requeueExpired(tx, kind) : 0;
    await saveLoad(tx, kind, await countHeld(tx, kind));
    return requeued;
  });
}

async function mayRequeue(tx: Tx, kind: string): Promise<boolean> {
  const { rowCount } = await tx.query(
    `select 1 from claim_load
     where kind = $1 and crowded and is_recent(counted_at, ${GAP_MS})
       and (requeue_from <= clock() or requeue_from > wall_clock() + interval '1 minute')`,
    [kind],
  );
  return rowCount > 0;
}

async function lockCounts(tx: Tx, kind: string): Promise<boolean> {
  const { rows } = await tx.query<{ locked: boolean }>(
    `select pg_try_advisory_xact_lock(hashtextextended('recount ' || $1, 0)) as locked`,
    [kind],
  );
  return rows[0]!.locked;
}

/** Returns false if another process has counted since this one found it due. */
async function isDue(tx: Tx, kind: string): Promise<boolean> {
  const { rowCount } = await tx.query(
    `select 1 from claim_load
     where kind = $1 and crowded and is_recent(counted_at, $2)`,
    [kind, RECOUNT_AFTER_MS],
  );
  return rowCount === 0;
}

/**
 * Requeues expired leases, ordered before everything added since they were claimed. Attempts and
 * reservation are kept, so the next claim learns that a holder was lost. Locked leases are about to change
 * and are skipped.
 */
async function requeueExpired(tx: Tx, kind: string): Promise<number> {
  const { rowCount } = await tx.query(
    `with expired as materialized (
       select lease.id from lease_group join range_lease as lease on lease.group_id = lease_group.id
       where lease_group.kind = $1 and lease_group.remaining > 0 and lease.state = 'held'
         and lease_expired(lease.expires_at, lease.renewed_at)
       order by lease.id
       limit ${MAX_REQUEUED}
       for no key update of lease skip locked)
     update range_lease as lease
     set state = 'waiting', crashed = true, holder = null, expires_at = null, not_before = least(not_before, claimed_at, clock())
     from expired where lease.id = expired.id`,
    [kind],
  );
  return rowCount;
}

/** Counts the held leases and returns the total. */
async function countHeld(tx: Tx, kind: string): Promise<number> {
  const { rows } = await tx.query<{ total: number }>(
    `with counted as materialized (
       select lease_group.id, count(lease.id)::integer as held
       from lease_group left join range_lease as lease on lease.group_id = lease_group.id and lease.state = 'held'
       where lease_group.kind = $1 and lease_group.remaining > 0
       group by lease_group.id),
     ended as (
       delete from held_lease_count using lease_group
       where lease_group.id = held_lease_count.group_id and lease_group.kind = $1 and lease_group.remaining = 0),
     saved as (
       insert into held_lease_count (group_id, held) select id, held from counted order by id
       on conflict (group_id) do update set held = excluded.held where held_lease_count.held <> excluded.held)
     select coalesce(sum(held), 0)::integer as total from counted`,
    [kind],
  );
  return rows[0]!.total;
}

async function saveLoad(tx: Tx, kind: string, total: number): Promise<void> {
  await tx.query(
    `insert into claim_load (kind, crowded, counted_at, requeue_from)
     values ($1, $2, clock(), clock() + ${GRACE_MS} * interval '1 millisecond')
     on conflict (kind) do update
     set crowded = excluded.crowded, counted_at = excluded.counted_at,
         requeue_from = case when claim_load.crowded and is_recent(claim_load.counted_at, ${GAP_MS})
                             then claim_load.requeue_from else excluded.requeue_from end`,
    [kind, total > EXACT_LEASES],
  );
}
