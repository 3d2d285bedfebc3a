/** SQL statements of work stealing: which shard has most left, and the stored hints. */
import { keyFromBytes } from '../../base/key.ts';
import { maybeOne, one, type Queryable, type Tx } from '../../db/database.ts';
import { HAS_FREE, IS_BEGUN } from '../../engine/leases/split-store.ts';
import type { CountedRange } from './counted-range.ts';
import type { SplitHint } from './split-hint.ts';
import type { StealTarget } from './steal-decision.ts';

export interface ClusterLoad {
  /** A shard is already claimable. If a cap or a pause prevents its claim, more shards would not help. */
  readonly waiting: boolean;
  /** Free slots of live workers, and held shards of this scan. */
  readonly idle: number;
  readonly running: number;
  readonly elapsedSeconds: number;
}

export async function readClusterLoad(db: Queryable, scan: number): Promise<ClusterLoad> {
  const row = await one<{ waiting: boolean; hands: number; held: number; running: number; elapsed: number }>(
    db,
    `with load as materialized (
       select coalesce(bool_or(crowded), false) as crowded from claim_load where kind = 'shard'),
     -- Read one by one unless there are too many of them: then by the counts of the claimers, a second old at most.
     running as materialized (
       select lease.group_id, count(*)::int as held from range_lease as lease join lease_group on lease_group.id = group_id
       where state = 'held' and not lease_expired(expires_at, renewed_at) and kind = 'shard' and not (select crowded from load)
       group by group_id
       union all
       select group_id, held from held_lease_count join lease_group on lease_group.id = group_id
       where kind = 'shard' and (select crowded from load))
     select exists (select 1 from range_lease as lease where group_id = $1 and state = 'waiting' and not_before <= clock()) as waiting,
            (select coalesce(sum(concurrency), 0)::int from worker
             where not draining and is_recent(heartbeat_at, 30000)) as hands,
            (select coalesce(sum(held), 0)::int from running) as held,
            (select coalesce(sum(held), 0)::int from running where group_id = $1) as running,
            (select extract(epoch from clock() - created_at)::float8 from scan where id = $1) as elapsed`,
    [scan],
  );
  const { waiting, running, elapsed } = row;
  return { waiting, running, idle: Math.max(1, row.hands - row.held), elapsedSeconds: elapsed };
}

export interface ClaimedStealTarget extends StealTarget {
  readonly id: number;
  readonly failures: number;
  /** At the current speed of its holder; null before its first checkpoint. */
  readonly secondsPerKey: number | null;
}

interface StealTargetRow {
  id: number;
  after_key: Buffer;
  up_to: Buffer | null;
  cursor: Buffer;
  reserved: Buffer;
  listed: number;
  keys_left: number;
  seconds: number;
  estimatedKeys: number | null;
  exact: boolean | null;
  countError: number | null;
  countedRanges: readonly CountedRange[] | null;
  page: CountedRange | null;
  failures: number | null;
}

/** Maximum number of held shards that a steal compares. */
const SAMPLED_SHARDS = 1000;

/**
 * Takes the split lock of the shard with most left: others skip it until it is released or `splitLockMs` have
 * passed. What is left is computed as by `keysLeft`. A shard without an estimate is always worth probing.
 * Returns null if none is worth splitting.
 */
export async function claimStealTarget(
  db: Queryable,
  scan: number,
  { minSeconds, splitLockMs }: { minSeconds: number; splitLockMs: number },
): Promise<ClaimedStealTarget | null> {
  const row = await maybeOne<StealTargetRow>(
    db,
    `with start as materialized (
       select least_id + floor(random() * (greatest_id - least_id + 1))::bigint as id
       from (select min(id) as least_id from range_lease as lease where group_id = $1 and state = 'held') as least,
            (select max(id) as greatest_id from range_lease as lease where group_id = $1 and state = 'held') as greatest),
     -- All held shards; of very many, those after a random id: the largest of a thousand is large enough.
     sampled as materialized (
       (select lease.id from range_lease as lease, start where group_id = $1 and state = 'held' and lease.id >= start.id
        order by lease.id limit ${SAMPLED_SHARDS})
       union all
       (select lease.id from range_lease as lease, start where group_id = $1 and state = 'held' and lease.id < start.id
        order by lease.id limit ${SAMPLED_SHARDS})),
     victim as (
       select lease.id, rest.keys_left, rest.seconds
       from sampled join range_lease as lease on lease.id = sampled.id
       join shard on shard.lease_id = lease.id
       left join lease_split_hint hint on hint.lease_id = lease.id
       cross join lateral (
         select case when hint.estimated_keys is null then 1e12
                     when hint.exact then hint.estimated_keys - shard.listed
                     else greatest(abs(hint.estimated_keys - shard.listed), 1000) end as keys_left,
                extract(epoch from clock() - lease.claimed_at)::float8 as seconds) as rest
       where lease.group_id = $1 and lease.state = 'held' and not lease.no_split
         and ${IS_BEGUN} and ${HAS_FREE}
         and split_lock_expired(lease.split_lock_until)
         and (shard.listed = 0 or hint.exact is not true
              or (rest.keys_left + hint.count_error) * rest.seconds / shard.listed >= $2)
       order by rest.keys_left desc, lease.id
       limit 1
       for update of lease skip locked)
     update range_lease as lease set split_lock_until = clock() + $3 * interval '1 millisecond'
     from victim join shard on shard.lease_id = victim.id left join lease_split_hint hint on hint.lease_id = victim.id
     where lease.id = victim.id
     returning lease.id, lease.after_key, lease.up_to, lease.cursor, lease.reserved_up_to as reserved, shard.listed, victim.keys_left,
               victim.seconds, hint.estimated_keys as "estimatedKeys", hint.exact, hint.count_error as "countError",
               hint.counted_ranges as "countedRanges", hint.page, hint.probes_since_split as failures`,
    [scan, minSeconds, splitLockMs],
  );
  return row && toStealTarget(row);
}

function toStealTarget(row: StealTargetRow): ClaimedStealTarget {
  const { estimatedKeys, exact, countError, countedRanges } = row;
  return {
    id: row.id,
    range: { after: keyFromBytes(row.after_key), upTo: row.up_to && keyFromBytes(row.up_to) },
    cursor: keyFromBytes(row.cursor),
    reserved: keyFromBytes(row.reserved),
    listed: row.listed,
    page: row.page,
    hint:
      estimatedKeys === null
        ? null
        : {
            estimatedKeys,
            exact: exact === true,
            countError: countError ?? 0,
            countedRanges: countedRanges ?? [],
          },
    left: row.keys_left,
    failures: row.failures ?? 0,
    secondsPerKey: row.listed === 0 ? null : row.seconds / row.listed,
  };
}

/** `failures`: failed attempts since the last split. */
export async function writeSplitHint(
  tx: Tx,
  lease: number,
  hint: SplitHint,
  failures: number,
): Promise<void> {
  await tx.query(
    `insert into lease_split_hint (lease_id, tenant, estimated_keys, exact, count_error, counted_ranges, probes_since_split)
     select id, tenant, $2, $3, $4, $5, $6 from range_lease where id = $1
     on conflict (lease_id) do update
     set estimated_keys = excluded.estimated_keys, exact = excluded.exact, count_error = excluded.count_error, counted_ranges = excluded.counted_ranges,
         probes_since_split = excluded.probes_since_split`,
    [lease, hint.estimatedKeys, hint.exact, hint.countError, JSON.stringify(hint.countedRanges), failures],
  );
}

/** Stores the page that the holder has just listed. Only a hint: written outside its transactions. */
export async function writePageHint(db: Queryable, lease: number, page: CountedRange): Promise<void> {
  await db.query(
    `insert into lease_split_hint (lease_id, tenant, page) select id, tenant, $2 from range_lease where id = $1
     on conflict (lease_id) do update set page = excluded.page`,
    [lease, JSON.stringify(page)],
  );
}
