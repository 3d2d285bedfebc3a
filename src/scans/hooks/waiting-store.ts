/**
 * Queries on waiting hooks: which have lost their job, where they wait and since when. One function per
 * statement.
 */
import { many, type Queryable, type Tx } from '../../db/database.ts';
import type { HookJob, HookSettings } from './hook.ts';

/** One process at a time looks for lost hooks: two concurrent ones would each send a job. */
export async function lockLostHooks(tx: Tx): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('lost hooks', 0))`);
}

export type LostHook = HookJob & { readonly settings: HookSettings };

/**
 * Hooks of ended scans whose next attempt has no job. Jobs are sent in the transactions that make hooks
 * wait and that count attempts, so one statement sees both or neither. A job for another attempt is
 * outdated and does nothing.
 */
export function lostHooks(tx: Tx): Promise<LostHook[]> {
  return many<LostHook>(
    tx,
    `select scan_hook.scan_id as scan, scan_hook.reopen_count as round, scan_hook.n, scan_hook.attempts as attempt, scan_hook.settings
     from scan_hook join scan on scan.id = scan_hook.scan_id
     where scan_hook.state = 'waiting' and scan.finished_at is not null
       and not exists (
         select from job
         where (job.queue = 'hook' or starts_with(job.queue, 'hook.'))
           and job.args->>'scan' = scan_hook.scan_id::text and job.args->>'round' = scan_hook.reopen_count::text
           and job.args->>'n' = scan_hook.n::text and job.args->>'attempt' = scan_hook.attempts::text)
     order by scan_hook.scan_id, scan_hook.reopen_count, scan_hook.n
     for no key update of scan_hook`,
  );
}
/**
 * Moves the waiting hooks of an ended scan to this host. The attempt number is increased as well, so that
 * whatever the other host is doing, or has queued, is outdated. Returns how many were moved.
 */
export async function takeOverHooks(tx: Tx, scan: number, place: string): Promise<number> {
  const { rowCount } = await tx.query(
    `update scan_hook
     set settings = jsonb_set(settings, '{place}', to_jsonb($2::text)), attempts = attempts + 1, max_attempts = max_attempts + 1,
         sent_at = clock()
     from scan
     where scan.id = scan_hook.scan_id and scan_id = $1 and scan.finished_at is not null and scan_hook.state = 'waiting'
       and settings->>'place' is not null and settings->>'place' <> $2`,
    [scan, place],
  );
  return rowCount;
}

/**
 * The hooks of the scan's next end are copies of the first ones: moves those to this host as well. The
 * results of the first stay.
 */
export async function moveNextHooks(tx: Tx, scan: number, place: string): Promise<void> {
  await tx.query(
    `update scan_hook set settings = jsonb_set(settings, '{place}', to_jsonb($2::text))
     where scan_id = $1 and reopen_count = 0 and settings->>'place' <> $2`,
    [scan, place],
  );
}

/** A hook of an ended scan that waits to be run. */
export interface WaitingHook {
  readonly scan: number;
  /** For display. */
  readonly name: string;
  readonly attempts: number;
  /** The error of its last attempt. */
  readonly error: string | null;
  /** The only host that can run it, with the machine's name before the first slash; null: any. */
  readonly place: string | null;
  /** A worker on that host has a recent heartbeat. */
  readonly hasWorker: boolean;
  readonly waitingSeconds: number;
}

/** Longest waiting first. Of one scan, or of all. */
export function listWaitingHooks(
  db: Queryable,
  { tenant = null, scan = null, staleMs = 60_000, limit = 1000 }: WaitingFilter,
): Promise<WaitingHook[]> {
  return many<WaitingHook>(
    db,
    `select scan_hook.scan_id as scan, settings->>'name' as name, attempts, scan_hook.error, settings->>'place' as place,
            exists (select from worker
                    where role = 'scans' and (settings->>'place' is null or worker.host_affinity = settings->>'place')
                      and heartbeat_at >= clock() - $3 * interval '1 millisecond') as "hasWorker",
            extract(epoch from clock() - coalesce(sent_at, finished_at))::double precision as "waitingSeconds"
     from scan_hook join scan on scan.id = scan_hook.scan_id
     where scan_hook.state = 'waiting' and finished_at is not null
       and ($1::text is null or scan_hook.tenant = $1) and ($2::bigint is null or scan_hook.scan_id = $2)
     order by "waitingSeconds" desc, scan_hook.scan_id, scan_hook.n
     limit $4`,
    [tenant, scan, staleMs, limit],
  );
}

export interface WaitingFilter {
  readonly tenant?: string | null;
  readonly scan?: number | null;
  /** Workers without a heartbeat for this long don't count. */
  readonly staleMs?: number;
  readonly limit?: number;
}
