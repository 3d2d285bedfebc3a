/**
 * SQL statements of the hooks of scans, one function each. The settings are those of round 0, copied for
 * each further round.
 */
import { many, maybeOne, one, type Queryable, type Tx } from '../../db/database.ts';
import type { End, Hook, HookId, HookJob, HookSettings } from './hook.ts';

const COLUMNS = `scan_hook.scan_id as scan, scan_hook.reopen_count as round, scan_hook.n, settings, state, attempts, max_attempts as "giveUp",
  scan_hook.error, result, ended_at as "doneAt"`;

/** Inserts the hooks with the scan's row, in the transaction that starts it. */
export async function addHooks(tx: Tx, scan: number, hooks: readonly HookSettings[]): Promise<void> {
  await tx.query(
    `insert into scan_hook (scan_id, n, tenant, kind, settings)
     select scan.id, given.n - 1, scan.tenant, given.settings->>'kind', given.settings
     from scan, jsonb_array_elements($2::jsonb) with ordinality as given(settings, n)
     where scan.id = $1`,
    [scan, JSON.stringify(hooks)],
  );
}

/** Ordered by round; the newest is last. */
export function readHooks(db: Queryable, scan: number): Promise<Hook[]> {
  return many<Hook>(db, `select ${COLUMNS} from scan_hook where scan_id = $1 order by reopen_count, n`, [
    scan,
  ]);
}

/** A hook before an attempt, with what decides whether the attempt is due. */
export interface HookAttempt extends Hook {
  /** The scan's current round: differs from the hook's when the scan was reopened. */
  readonly scanRound: number;
  /** The database's time, in whole seconds since 1970. */
  readonly now: number;
}

export function readHookAttempt(db: Queryable, id: HookId): Promise<HookAttempt | null> {
  return maybeOne<HookAttempt>(
    db,
    `select ${COLUMNS}, scan.reopen_count as "scanRound", extract(epoch from clock())::bigint as now
     from scan_hook join scan on scan.id = scan_hook.scan_id
     where scan_id = $1 and scan_hook.reopen_count = $2 and n = $3`,
    [id.scan, id.round, id.n],
  );
}

/**
 * Copies the hooks for the round in which the scan has just ended. Those of round 0 exist since the start.
 */
export async function repeatHooks(tx: Tx, scan: number): Promise<void> {
  await tx.query(
    `insert into scan_hook (scan_id, reopen_count, n, tenant, kind, settings)
     select scan_hook.scan_id, scan.reopen_count, scan_hook.n, scan_hook.tenant, scan_hook.kind, scan_hook.settings
     from scan_hook join scan on scan.id = scan_hook.scan_id
     where scan_id = $1 and scan_hook.reopen_count = 0
     on conflict do nothing`,
    [scan],
  );
}

/** Moves exports to local folders to the host where the scan is resumed, those of later rounds included. */
export async function moveHooks(tx: Tx, scan: number, place: string): Promise<void> {
  await tx.query(
    `update scan_hook set settings = jsonb_set(settings, '{place}', to_jsonb($2::text))
     where scan_id = $1 and settings->>'place' is not null`,
    [scan, place],
  );
}

/** Skips hooks of an older round that were not delivered yet: a newer round follows. */
export async function skipSuperseded(tx: Tx, scan: number): Promise<void> {
  await tx.query(
    `update scan_hook set state = 'skipped', error = 'scan-reopened', ended_at = clock()
     from scan where scan.id = scan_id and scan_id = $1 and scan_hook.reopen_count < scan.reopen_count and state = 'waiting'`,
    [scan],
  );
}

export async function skipUnrequested(tx: Tx, scan: number, end: End): Promise<void> {
  await tx.query(
    `update scan_hook set state = 'skipped', error = 'hook-not-requested: ' || $2, ended_at = clock()
     from scan where scan.id = scan_id and scan_id = $1 and scan_hook.reopen_count = scan.reopen_count and state = 'waiting'
       and not settings->'on' ? $2`,
    [scan, end],
  );
}

/** Marks the hooks as sent: they wait to be run. */
export async function markHooksSent(tx: Tx, scan: number): Promise<void> {
  await tx.query(
    `update scan_hook set sent_at = clock()
     from scan where scan.id = scan_id and scan_id = $1 and scan_hook.reopen_count = scan.reopen_count and state = 'waiting'`,
    [scan],
  );
}

export function readWaiting(tx: Tx, scan: number): Promise<Hook[]> {
  return many<Hook>(
    tx,
    `select ${COLUMNS} from scan_hook join scan on scan.id = scan_hook.scan_id
     where scan_id = $1 and scan_hook.reopen_count = scan.reopen_count and state = 'waiting' order by n`,
    [scan],
  );
}

/** Number of hooks of ended scans that a process on this host has yet to run. */
export async function waitingHooks(db: Queryable, place: string): Promise<number> {
  const { n } = await one<{ n: number }>(
    db,
    `select count(*) as n from scan_hook join scan on scan.id = scan_hook.scan_id
     where scan_hook.state = 'waiting' and scan.finished_at is not null
       and coalesce(scan_hook.settings->>'place', $1) = $1`,
    [place],
  );
  return n;
}

/**
 * Ends the attempt, and with it the hook. Returns false, without changes, when another run of the job was
 * first.
 */
export async function endHook(
  tx: Tx,
  job: HookJob,
  state: 'done' | 'skipped',
  error: string | null,
  result: object | null,
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update scan_hook set state = $5, attempts = attempts + 1, error = $6, result = $7, ended_at = clock()
     where scan_id = $1 and reopen_count = $2 and n = $3 and attempts = $4 and state = 'waiting'`,
    [job.scan, job.round, job.n, job.attempt, state, error, result && JSON.stringify(result)],
  );
  return rowCount === 1;
}

/**
 * Records a failed attempt that is followed by another. Returns false when another run of the job was
 * first.
 */
export async function countFailedAttempt(tx: Tx, job: HookJob, error: string): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update scan_hook set attempts = attempts + 1, error = $5
     where scan_id = $1 and reopen_count = $2 and n = $3 and attempts = $4 and state = 'waiting'`,
    [job.scan, job.round, job.n, job.attempt, error],
  );
  return rowCount === 1;
}
