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
    `select hook.scan_id as scan, hook.round, hook.n, hook.attempts as attempt, hook.settings
     from hook join scan on scan.id = hook.scan_id
     where hook.state = 'waiting' and scan.finished_at is not null
       and not exists (
         select from job
         where (job.queue = 'hook' or starts_with(job.queue, 'hook.'))
           and job.args->>'scan' = hook.scan_id::text and job.args->>'round' = hook.round::text
           and job.args->>'n' = hook.n::text and job.args->>'attempt' = hook.attempts::text)
     order by hook.scan_id, hook.round, hook.n
     for no key update of hook`,
  );
}

/**
 * Moves the waiting hooks of an ended scan to this host. The attempt number is increased as well, so that
 * whatever the other host is doing, or has queued, is outdated. Returns how many were moved.
 */
export async function takeOverHooks(tx: Tx, scan: number, place: string): Promise<number> {
  const { rowCount } = await tx.query(
    `update hook
     set settings = jsonb_set(settings, '{place}', to_jsonb($2::text)), attempts = attempts + 1, give_up = give_up + 1,
         sent_at = clock()
     from scan
     where scan.id = hook.scan_id and scan_id = $1 and scan.finished_at is not null and hook.state = 'waiting'
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
    `update hook set settings = jsonb_set(settings, '{place}', to_jsonb($2::text))
     where scan_id = $1 and round = 0 and settings->>'place' <> $2`,
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
    `select hook.scan_id as scan, settings->>'name' as name, attempts, hook.error, settings->>'place' as place,
            exists (select from worker
                    where role = 'scans' and (settings->>'place' is null or worker.sees_place = settings->>'place')
                      and seen_at >= clock() - $3 * interval '1 millisecond') as "hasWorker",
            extract(epoch from clock() - coalesce(sent_at, finished_at))::double precision as "waitingSeconds"
     from hook join scan on scan.id = hook.scan_id
     where hook.state = 'waiting' and finished_at is not null
       and ($1::text is null or hook.tenant = $1) and ($2::bigint is null or hook.scan_id = $2)
     order by "waitingSeconds" desc, hook.scan_id, hook.n
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
