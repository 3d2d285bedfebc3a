/** The registry of workers, one row each. */
import { many, type Queryable } from '../../db/database.ts';

export interface WorkerSummary {
  readonly id: string;
  readonly host: string;
  readonly pid: number;
  readonly version: string;
  readonly threads: number;
  readonly hands: number;
  readonly draining: boolean;
  readonly stale: boolean;
  readonly leads: boolean;
  /** Number of held shards, and their scans. */
  readonly holding: number;
  readonly scans: readonly number[];
  readonly startedSeconds: number;
  readonly seenSeconds: number;
  readonly progressSeconds: number;
  /** Since it started. */
  readonly objects: number;
  readonly bytes: number;
  readonly findings: number;
  readonly waitedSeconds: number;
  readonly refused: number;
}

/** All workers, stale ones first. Scans of other tenants are counted, but not named. */
export function listWorkerSummaries(
  db: Queryable,
  tenant: string,
  staleMs: number,
): Promise<WorkerSummary[]> {
  return many<WorkerSummary>(
    db,
    `with held as (
       select holder, count(*) filter (where kind <> 'leader')::integer as holding,
              bool_or(kind = 'leader' and expires_at >= clock()) as leads,
              array_agg(distinct lease_group.id) filter (where kind <> 'leader' and lease_group.tenant = $1) as scans
       from range_lease as lease join lease_group on lease_group.id = lease.group_id
       where lease.state = 'held'
       group by holder)
     select id, split_part(host, '/', 1) as host, pid, version, threads, concurrency as hands, draining,
            heartbeat_at < clock() - $2 * interval '1 millisecond' as stale, coalesce(leads, false) as leads,
            coalesce(holding, 0) as holding, coalesce(scans, '{}') as scans,
            extract(epoch from clock() - started_at)::double precision as "startedSeconds",
            extract(epoch from clock() - heartbeat_at)::double precision as "seenSeconds",
            extract(epoch from clock() - progressed_at)::double precision as "progressSeconds",
            objects, bytes, findings, rate_limit_wait_ms / 1000.0 as "waitedSeconds", fenced_writes as refused
     from worker left join held on held.holder = worker.id
     where role = 'scans'
     order by stale desc, host, pid, id`,
    [tenant, staleMs],
  );
}
