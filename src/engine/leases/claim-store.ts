/**
 * Claiming: which lease comes next is decided in the claim itself, so that no worker needs to know of the others.
 *
 *   1. the work of the highest priority;
 *   2. of those, the tenant who holds the fewest leases now, then the work that holds the fewest: fair shares;
 *   3. of that work, what somebody left behind, then what has waited longest.
 *
 * A work with a place is taken only by workers that see it. A work with a cap only while fewer leases of its quota are held:
 * such a claim is made under a lock of the quota, because two claims at the same moment would not see each other.
 */
import type { Database, Queryable } from '../../db/database.ts';
import type { Held } from './lease.ts';
import { heldOf, type LeaseRow } from './lease-store.ts';

export interface Wanted {
  readonly kind: string;
  /** Null: of any work. */
  readonly work: number | null;
  readonly holder: string;
  /** What this worker sees besides what all see: its machine. */
  readonly place?: string | null;
  readonly ttlMs: number;
}

type Candidate = LeaseRow & { readonly quota: string | null; readonly capped: boolean };

/** Takes the next lease. Null when there is none now. */
export async function claimLease(db: Database, wanted: Wanted): Promise<Held | null> {
  const [first] = await claim(db, wanted, 1, null);
  if (!first) return null;
  return first.capped ? claimCapped(db, wanted, first.quota!) : heldOf(first);
}

/** Many at once, of works without a cap. */
export async function claimLeases(db: Queryable, wanted: Wanted, most: number): Promise<Held[]> {
  return (await claim(db, wanted, most, null)).filter((row) => !row.capped).map(heldOf);
}

/**
 * One certain lease, for whoever was told which is its own: a partition. Null when somebody holds it and has not expired, or when it
 * can't be had at all now: it has ended, waits for a retry, or its work is paused.
 */
export async function claimPartition(
  db: Queryable,
  lease: number,
  holder: string,
  ttlMs: number,
): Promise<Held | null> {
  const { rows } = await db.query<LeaseRow>(
    `update lease
     set state = 'held', holder = $2, token = token + 1, attempts = attempts + 1, claimed_at = clock(),
         expires_at = clock() + $3 * interval '1 millisecond'
     where id = $1
       and (state = 'waiting' and not_before <= clock() or state = 'held' and expires_at < clock())
       and not (select paused from work where work.id = lease.work_id)
     returning id, work_id, token, step, cursor, up_to, reserved, attempts, failures`,
    [lease, holder, ttlMs],
  );
  return rows[0] ? heldOf(rows[0]) : null;
}

async function claimCapped(db: Database, wanted: Wanted, quota: string): Promise<Held | null> {
  return db.tx(async (tx) => {
    await tx.query(`select pg_advisory_xact_lock(hashtextextended('quota ' || $1, 0))`, [quota]);
    const [row] = await claim(tx, wanted, 1, quota);
    return row ? heldOf(row) : null;
  });
}

/** With a quota: of its works only, and its lock is held. Without: a capped candidate is told, not taken. */
async function claim(
  db: Queryable,
  wanted: Wanted,
  most: number,
  quota: string | null,
): Promise<Candidate[]> {
  const { rows } = await db.query<Candidate>(
    `with open as (
       select work.id, work.tenant, work.quota, work.cap, work.priority
       from work
       where work.kind = $1 and work.remaining > 0 and not work.paused
         and ($2::bigint is null or work.id = $2)
         and (work.place is null or work.place = $5)
         and ($7::text is null or work.quota = $7)),
     -- Counted only when there is something to choose or to cap: a lone scan costs nothing.
     busy as (
       select work.id, work.tenant, work.quota, count(*) as held
       from lease join work on work.id = lease.work_id
       where lease.state = 'held' and lease.expires_at >= clock() and work.kind = $1
       group by work.id),
     fair as (
       select open.*,
              case when alone then 0 else
                (select coalesce(sum(held), 0) from busy where busy.tenant = open.tenant) end as held_by_tenant,
              case when alone then 0 else
                (select coalesce(sum(held), 0) from busy where busy.id = open.id) end as held
       from open, (select count(*) = 1 as alone from open) as rivals
       where open.cap is null
         or open.cap > (select coalesce(sum(held), 0) from busy where busy.quota = open.quota)
       order by open.priority desc, held_by_tenant, held, open.id),
     next as (
       select free.id, fair.quota, fair.cap is not null and $7::text is null as capped
       from fair, lateral (
         select id from (
           select lease.id from lease
           where lease.work_id = fair.id and lease.state = 'held' and lease.expires_at < clock()
           order by lease.expires_at, lease.id
           limit $6
           for update skip locked) expired
         union all
         select id from (
           select lease.id from lease
           where lease.work_id = fair.id and lease.state = 'waiting' and lease.not_before <= clock()
           order by lease.not_before, lease.id
           limit $6
           for update skip locked) waiting) free
       limit $6),
     taken as (
       update lease
       set state = 'held', holder = $3, token = token + 1, attempts = attempts + 1, claimed_at = clock(),
           expires_at = clock() + $4 * interval '1 millisecond'
       from next
       where lease.id = next.id and not next.capped
       returning lease.*)
     select next.capped, next.quota, taken.id, taken.work_id, taken.token, taken.step, taken.cursor, taken.up_to,
            taken.reserved, taken.attempts, taken.failures
     from next left join taken on taken.id = next.id`,
    [wanted.kind, wanted.work, wanted.holder, wanted.ttlMs, wanted.place ?? null, most, quota],
    'claim',
  );
  return rows;
}
