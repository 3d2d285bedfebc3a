/**
 * Claiming: which lease comes next is decided in the claim itself, so that no worker needs to know of the others.
 *
 *   1. the lease groups of the highest priority;
 *   2. of those, the tenant who holds the fewest leases now, then the group that holds the fewest: fair shares, among the
 *      groups this worker may claim from;
 *   3. of that group, released and expired leases first, then those that waited longest.
 *
 * A group with a host affinity is claimed only on that host, one with `requires` only by workers that offer it. One with a cap
 * only while fewer leases of its quota are held: such a claim is made under a lock of the quota, because two claims at the same moment
 * would not see each other.
 *
 * Cost: while at most EXACT_LEASES are held, a claim reads them all, to count shares and to find the expired ones. Above that it
 * reads none: it uses counts that are about a second old; a claim that finds them outdated recounts and requeues the expired leases
 * (recount-store.ts). So a claim costs the same with a thousand held leases and with a hundred thousand.
 */
import { timers } from '../../base/retry.ts';
import type { Database, Queryable, Tx } from '../../db/database.ts';
import type { HeldLease } from './lease.ts';
import { type LeaseRow, MAX_DELAY_MS, toHeldLease } from './lease-store.ts';
import { EXACT_LEASES, RECOUNT_AFTER_MS, recountHeldLeases } from './recount-store.ts';

export interface ClaimRequest {
  readonly kind: string;
  /** Null: any lease group. */
  readonly groupId: number | null;
  readonly holder: string;
  /** The host affinity of this worker, for folders that only its machine sees. */
  readonly hostAffinity?: string | null;
  /** What lease groups may require of this worker: see `requires` of createLeaseGroup. */
  readonly offers?: readonly string[];
  readonly ttlMs: number;
}

interface ClaimResult {
  readonly leases: readonly HeldLease[];
  /** The next lease belongs to this quota, whose cap must be checked under its lock. It was not claimed. */
  readonly cappedBy: string | null;
}

interface ClaimRow extends LeaseRow {
  readonly quota: string | null;
  readonly capped: boolean | null;
  readonly recount: boolean;
}

/**
 * Attempts to lock a quota that others claim from, half a second at most. Then the claim takes another
 * lease.
 */
const QUOTA_LOCK_TRIES = 20;
const QUOTA_LOCK_PAUSE_MS = 50;

/** Claims the next lease. Returns null when none is claimable now. */
export async function claimLease(db: Database, request: ClaimRequest): Promise<HeldLease | null> {
  const fullQuotas: string[] = [];
  for (;;) {
    const { leases, cappedBy } = await claim(db, request, { maxLeases: 1, fullQuotas });
    if (leases[0]) return leases[0];
    if (cappedBy === null) return null;
    const held = await claimUnderQuotaLock(db, request, cappedBy);
    if (held) return held;
    fullQuotas.push(cappedBy); // other workers have the lock: exclude this quota and retry
  }
}

/** Claims many at once, from groups without a cap. */
export async function claimLeases(
  db: Database,
  request: ClaimRequest,
  maxLeases: number,
): Promise<readonly HeldLease[]> {
  return (await claim(db, request, { maxLeases })).leases;
}

/**
 * Claims one lease by id, such as a partition. Returns null while another worker's claim is valid, or when
 * it is not claimable: it has ended, waits for a retry, or its group is paused.
 */
export async function claimLeaseById(
  db: Queryable,
  lease: number,
  holder: string,
  ttlMs: number,
): Promise<HeldLease | null> {
  const { rows } = await db.query<LeaseRow>(
    `update range_lease as lease
     set state = 'held', holder = $2, fencing_token = fencing_token + 1, claim_id = gen_random_uuid(), claims_since_progress = claims_since_progress + 1,
         crashed = crashed or state = 'held',
         claimed_at = clock(), expires_at = clock() + $3 * interval '1 millisecond', renewed_at = clock()
     where id = $1
       and (state = 'waiting' and (not_before <= clock() or not_before > wall_clock() + $4 * interval '1 millisecond')
            or state = 'held' and lease_expired(expires_at, renewed_at))
       and not (select paused from lease_group where lease_group.id = lease.group_id)
     returning id, group_id, fencing_token, claim_id, checkpoint_seq, cursor, up_to, reserved_up_to, claims_since_progress, errors_since_progress`,
    [lease, holder, ttlMs, MAX_DELAY_MS],
  );
  return rows[0] ? toHeldLease(rows[0]) : null;
}

/**
 * Claims those of these leases that are claimable now (see `claimLeaseById`). Leases that another worker
 * claims concurrently are skipped.
 */
export async function claimLeasesById(
  db: Queryable,
  leases: readonly number[],
  holder: string,
  ttlMs: number,
): Promise<HeldLease[]> {
  const { rows } = await db.query<LeaseRow>(
    `with free as (
       select lease.id from range_lease as lease join lease_group on lease_group.id = lease.group_id
       where lease.id = any($1::bigint[]) and not lease_group.paused
         and (lease.state = 'waiting' and (not_before <= clock() or not_before > wall_clock() + $4 * interval '1 millisecond')
              or lease.state = 'held' and lease_expired(expires_at, renewed_at))
       order by lease.id
       for no key update of lease skip locked)
     update range_lease as lease
     set state = 'held', holder = $2, fencing_token = fencing_token + 1, claim_id = gen_random_uuid(), claims_since_progress = claims_since_progress + 1,
         crashed = crashed or state = 'held',
         claimed_at = clock(), expires_at = clock() + $3 * interval '1 millisecond', renewed_at = clock()
     from free where lease.id = free.id
     returning lease.id, group_id, fencing_token, claim_id, checkpoint_seq, cursor, up_to, reserved_up_to, claims_since_progress, errors_since_progress`,
    [leases, holder, ttlMs, MAX_DELAY_MS],
  );
  return rows.map(toHeldLease);
}

/**
 * Claims under the lock of the quota. Returns null if its cap is reached, it has no claimable lease, or the
 * lock could not be had in time. The lock is polled instead of waited for in the server: a suspended lock
 * holder would block all the others.
 */
async function claimUnderQuotaLock(
  db: Database,
  request: ClaimRequest,
  quota: string,
): Promise<HeldLease | null> {
  for (let tries = 1; tries <= QUOTA_LOCK_TRIES; tries++) {
    const claimed = await db.tx(async (tx) =>
      (await lockQuota(tx, quota)) ? leasesOf(await claimRows(tx, request, { maxLeases: 1, quota })) : null,
    );
    if (claimed !== null) return claimed[0] ?? null;
    await timers.sleep(Math.random() * QUOTA_LOCK_PAUSE_MS);
  }
  return null;
}

async function lockQuota(tx: Tx, quota: string): Promise<boolean> {
  const { rows } = await tx.query<{ locked: boolean }>(
    `select pg_try_advisory_xact_lock(hashtextextended('quota ' || $1, 0)) as locked`,
    [quota],
  );
  return rows[0]!.locked;
}

/** Claims, and recounts if due; leases requeued by the recount are visible to this claim. */
async function claim(db: Database, request: ClaimRequest, scope: ClaimScope): Promise<ClaimResult> {
  const rows = await claimRows(db, request, scope);
  const found = { leases: leasesOf(rows), cappedBy: rows.find((row) => row.capped)?.quota ?? null };
  if (!rows[0]!.recount) return found;
  // Errors of the recount are ignored: the lease is already claimed, and throwing would leave it with a
  // holder that does not know of it.
  const requeued = await recountHeldLeases(db, request.kind).catch(() => 0);
  return requeued > 0 && found.leases.length === 0 && found.cappedBy === null
    ? claim(db, request, scope)
    : found;
}

function leasesOf(rows: readonly ClaimRow[]): HeldLease[] {
  return rows.filter((row) => row.id !== null).map(toHeldLease);
}

interface ClaimScope {
  readonly maxLeases: number;
  /**
   * Restricts the claim to this quota, whose lock is held. Otherwise a lease of a capped group is reported,
   * not claimed.
   */
  readonly quota?: string;
  readonly fullQuotas?: readonly string[];
}

/** Returns at least one row; without a lease if none is claimable. */
async function claimRows(
  db: Queryable,
  request: ClaimRequest,
  { maxLeases, quota, fullQuotas = [] }: ClaimScope,
): Promise<ClaimRow[]> {
  const { rows } = await db.query<ClaimRow>(
    `with load as materialized (
       select coalesce(bool_or(crowded), false) as crowded,
              coalesce(bool_or(crowded and not is_recent(counted_at, $9)), false) as outdated,
              wall_clock() + $11 * interval '1 millisecond' as longest_delay
       from claim_load where kind = $1),
     open as materialized (
       select lease_group.id, lease_group.tenant, lease_group.quota, lease_group.max_concurrency, lease_group.priority
       from lease_group
       where lease_group.kind = $1 and lease_group.remaining > 0 and not lease_group.paused
         and ($2::bigint is null or lease_group.id = $2)
         and (lease_group.host_affinity is null or lease_group.host_affinity = $5)
         and (lease_group.requires is null or lease_group.requires = any($10::text[]))
         and ($7::text is null or lease_group.quota = $7)
         and (lease_group.max_concurrency is null or lease_group.quota <> all($8::text[]))),
     held as materialized (
       select open.id as group_id, open.tenant, lease.id, lease_expired(lease.expires_at, lease.renewed_at) as expired
       from open cross join lateral (
         select id, expires_at, renewed_at from range_lease as lease
         where lease.group_id = open.id and lease.state = 'held'
         limit ${EXACT_LEASES + 1}) as lease
       where not (select crowded from load)
       limit ${EXACT_LEASES + 1}),
     busy as materialized (
       select group_id, tenant, count(*) filter (where not expired) as held, bool_or(expired) as has_expired
       from held group by group_id, tenant
       union all
       select open.id, open.tenant, held_lease_count.held, false
       from held_lease_count join open on open.id = held_lease_count.group_id
       where (select crowded from load)),
     busy_tenant as (select tenant, sum(held) as held from busy group by tenant),
     -- Of every quota with a cap, counted up to its cap.
     busy_quota as materialized (
       select capped.quota, counted.held
       from (select quota, max(max_concurrency) as max_concurrency from open where max_concurrency is not null group by quota) as capped
       cross join lateral (
         select count(*) as held from (
           select from lease_group rival join range_lease as lease on lease.group_id = rival.id and lease.state = 'held'
           where hashtextextended(rival.quota, 0) = hashtextextended(capped.quota, 0) and rival.quota = capped.quota
             and rival.kind = $1 and rival.remaining > 0
             and not lease_expired(lease.expires_at, lease.renewed_at)
           limit capped.max_concurrency) as up_to_cap) as counted),
     fair as (
       select open.*, coalesce(busy.has_expired, false) as has_expired
       from open
       left join busy on busy.group_id = open.id
       left join busy_tenant on busy_tenant.tenant = open.tenant
       left join busy_quota on busy_quota.quota = open.quota
       where open.max_concurrency is null or open.max_concurrency > busy_quota.held
       order by open.priority desc, coalesce(busy_tenant.held, 0), coalesce(busy.held, 0), open.id),
     next as (
       select free.id, fair.quota, fair.max_concurrency is not null and $7::text is null as capped
       from fair, lateral (
         select id from (
           select lease.id from range_lease as lease join held on held.id = lease.id
           where fair.has_expired and held.group_id = fair.id and held.expired
             and lease.state = 'held' and lease_expired(lease.expires_at, lease.renewed_at)
           order by lease.expires_at, lease.id
           limit $6
           for update of lease skip locked) expired
         union all
         select id from (
           select lease.id from range_lease as lease
           where lease.group_id = fair.id and lease.state = 'waiting' and lease.not_before <= clock()
           order by lease.not_before, lease.id
           limit $6
           for update skip locked) waiting
         union all
         select id from (
           select lease.id from range_lease as lease
           where lease.group_id = fair.id and lease.state = 'waiting'
             and lease.not_before > (select longest_delay from load)
           order by lease.not_before, lease.id
           limit $6
           for update skip locked) delayed_by_a_wrong_clock) free
       limit $6),
     taken as (
       update range_lease as lease
       set state = 'held', holder = $3, fencing_token = fencing_token + 1, claim_id = gen_random_uuid(), claims_since_progress = claims_since_progress + 1,
           crashed = crashed or state = 'held',
           claimed_at = clock(), expires_at = clock() + $4 * interval '1 millisecond', renewed_at = clock()
       from next
       where lease.id = next.id and not next.capped
       returning lease.*)
     select load.outdated or (select count(*) > ${EXACT_LEASES} from held) as recount, next.capped, next.quota,
            taken.id, taken.group_id, taken.fencing_token, taken.claim_id, taken.checkpoint_seq, taken.cursor, taken.up_to, taken.reserved_up_to,
            taken.claims_since_progress, taken.errors_since_progress
     from load left join next on true left join taken on taken.id = next.id`,
    [
      request.kind,
      request.groupId,
      request.holder,
      request.ttlMs,
      request.hostAffinity ?? null,
      maxLeases,
      quota ?? null,
      fullQuotas,
      RECOUNT_AFTER_MS,
      request.offers ?? [],
      MAX_DELAY_MS,
    ],
    'claim',
  );
  return rows;
}
