/**
 * Claiming: which lease comes next is decided in the claim itself, so that no worker needs to know of the others.
 *
 *   1. the work of the highest priority;
 *   2. of those, the tenant who holds the fewest leases now, then the work that holds the fewest: fair shares;
 *   3. of that work, the oldest lease that waits or has expired.
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
    `with busy as (
       select work.id, work.tenant, work.quota, count(*) as held
       from lease join work on work.id = lease.work_id
       where lease.state = 'held' and lease.expires_at >= clock() and work.kind = $1
       group by work.id),
     open as (
       select work.id, work.quota, work.cap, work.priority,
              (select coalesce(sum(held), 0) from busy where busy.tenant = work.tenant) as held_by_tenant,
              (select coalesce(sum(held), 0) from busy where busy.id = work.id) as held
       from work
       where work.kind = $1 and work.remaining > 0 and not work.paused
         and ($2::bigint is null or work.id = $2)
         and (work.place is null or work.place = $5)
         and ($7::text is null or work.quota = $7)
         and (work.cap is null
           or work.cap > (select coalesce(sum(held), 0) from busy where busy.quota = work.quota))
       order by work.priority desc, held_by_tenant, held, work.id),
     next as (
       select free.id, open.quota, open.cap is not null and $7::text is null as capped
       from open, lateral (
         select lease.id from lease
         where lease.work_id = open.id
           and ((lease.state = 'waiting' and lease.not_before <= clock())
             or (lease.state = 'held' and lease.expires_at < clock()))
         order by lease.id
         limit $6
         for update skip locked) free
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
  );
  return rows;
}
