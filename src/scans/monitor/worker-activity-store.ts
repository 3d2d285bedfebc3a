/** The work of workers on one scan, one function per statement. */
import { many, one, type Tx } from '../../db/database.ts';
import { formatRanges, type KeyRange } from './formatted-range.ts';
import type { HeldShard, WorkerStatus, WorkersNow } from './snapshot.ts';

/** Workers without a heartbeat for this long are considered gone. */
const MAX_ABSENCE = `interval '1 hour'`;

const HOLDERS = `holders as (
  select holder, count(*)::integer as holding from range_lease where group_id = $1 and state = 'held' group by holder)`;

export async function countWorkers(
  tx: Tx,
  scan: number | null,
  staleMs: number,
): Promise<Omit<WorkersNow, 'list'>> {
  return one(
    tx,
    `with ${HOLDERS}, known as (
       select draining, fenced_writes, holder, heartbeat_at < clock() - $2 * interval '1 millisecond' as stale
       from worker left join holders on holders.holder = worker.id
       where role = 'scans' and (heartbeat_at > clock() - ${MAX_ABSENCE} or holder is not null))
     select count(*) as total,
            count(*) filter (where not stale and not draining) as ready,
            count(*) filter (where holder is not null) as holding,
            count(*) filter (where draining) as draining,
            count(*) filter (where stale) as stale,
            coalesce(sum(fenced_writes), 0)::bigint as refused
     from known`,
    [scan, staleMs],
  );
}

export type WorkerRow = Omit<WorkerStatus, 'holds' | 'objectsPerSecond' | 'bytesPerSecond' | 'waiting'>;

export async function listWorkers(
  tx: Tx,
  scan: number | null,
  staleMs: number,
  max: number,
): Promise<WorkerRow[]> {
  return many(
    tx,
    `with ${HOLDERS}
     select id, split_part(host, '/', 1) as host, pid, version, threads, concurrency as hands, draining,
            heartbeat_at < clock() - $2 * interval '1 millisecond' as stale, coalesce(holding, 0) as holding,
            extract(epoch from clock() - started_at)::double precision as "startedSeconds",
            extract(epoch from clock() - heartbeat_at)::double precision as "seenSeconds",
            extract(epoch from clock() - progressed_at)::double precision as "progressSeconds",
            objects, bytes::double precision, rate_limit_wait_ms / 1000.0 as "waitedSeconds"
     from worker left join holders on holders.holder = worker.id
     where role = 'scans' and (heartbeat_at > clock() - ${MAX_ABSENCE} or holder is not null)
     order by stale desc, holding is null, host, pid, id
     limit $3`,
    [scan, staleMs, max],
  );
}

type ShardRow = Omit<HeldShard, keyof KeyRange> & KeyRange;

const SHARD_COLUMNS = `lease.id as shard, kind, holder as worker, after_key as after, cursor, up_to as "upTo",
  extract(epoch from clock() - coalesce(claimed_at, cursor_moved_at))::double precision as "heldSeconds",
  extract(epoch from clock() - greatest(claimed_at, cursor_moved_at))::double precision as "stillSeconds",
  extract(epoch from clock() - progressed_at)::double precision as "workerStillSeconds"`;

/** At most `each` shards of every one of these workers, those held longest first. */
export async function shardsOfWorkers(
  tx: Tx,
  scan: number | null,
  workers: readonly string[],
  each: number,
): Promise<HeldShard[]> {
  const rows = await many<ShardRow>(
    tx,
    `select ${SHARD_COLUMNS}
     from (select *, row_number() over (partition by holder order by claimed_at, id) as nth
           from range_lease as lease where group_id = $1 and state = 'held' and holder = any($2::uuid[])) lease
     join shard on shard.lease_id = lease.id
     left join worker on worker.id = holder
     where nth <= $3
     order by nth`,
    [scan, workers, each],
  );
  return formatRanges(tx, rows);
}

export async function stalledShards(tx: Tx, scan: number, max: number): Promise<HeldShard[]> {
  const rows = await many<ShardRow>(
    tx,
    `select ${SHARD_COLUMNS}
     from (select * from range_lease as lease where group_id = $1 and state = 'held'
           order by greatest(claimed_at, cursor_moved_at), id limit $2) lease
     join shard on shard.lease_id = lease.id
     left join worker on worker.id = holder
     order by greatest(claimed_at, cursor_moved_at), lease.id`,
    [scan, max],
  );
  return formatRanges(tx, rows);
}
