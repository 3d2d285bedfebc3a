/**
 * Dead letters of hooks that failed permanently: stored with their reason, retriable. The scan's status is
 * not affected.
 */

import { errorGroupKey } from '../../base/error-group-key.ts';
import { maybeOne, type Tx } from '../../db/database.ts';
import { type HookId, type HookJob, type HookSettings, MAX_ATTEMPTS } from './hook.ts';

/**
 * Returns false when another run of the job was first. A hook that fails again keeps its letter, with the
 * new reason.
 */
export async function deadLetterHook(tx: Tx, job: HookJob, reason: string): Promise<boolean> {
  const { rowCount } = await tx.query(
    `with failed as (
       update scan_hook set state = 'failed', attempts = attempts + 1, error = $5, ended_at = clock()
       where scan_id = $1 and reopen_count = $2 and n = $3 and attempts = $4 and state = 'waiting'
       returning *,
         jsonb_build_object('job', 'hook', 'scan', scan_id, 'round', reopen_count, 'n', n, 'kind', kind) as evidence
     ), again as (
       update dead_letter set state = 'open', signature = $6, reason = $5, attempts = failed.attempts
       from failed
       where dead_letter.scan_id = failed.scan_id and dead_letter.kind = 'job'
         and dead_letter.evidence @> failed.evidence
       returning dead_letter.id
     ), added as (
       insert into dead_letter (tenant, scan_id, kind, path, signature, reason, evidence, attempts, created_at)
       select tenant, scan_id, 'job', settings->>'name', $6, $5, evidence, attempts, clock()
       from failed where not exists (select 1 from again)
     )
     select 1 from failed`,
    [job.scan, job.round, job.n, job.attempt, reason, errorGroupKey(reason)],
  );
  return rowCount === 1;
}

/** For the retry of a dead letter: returns the job to send, or null when the hook has not failed. */
export async function requeueHook(
  tx: Tx,
  id: HookId,
): Promise<{ job: HookJob; settings: HookSettings } | null> {
  const row = await maybeOne<{ attempts: number; settings: HookSettings }>(
    tx,
    `update scan_hook set state = 'waiting', max_attempts = attempts + ${MAX_ATTEMPTS}, ended_at = null, sent_at = clock()
     where scan_id = $1 and reopen_count = $2 and n = $3 and state = 'failed'
     returning attempts, settings`,
    [id.scan, id.round, id.n],
  );
  if (row === null) return null;
  return {
    job: { scan: id.scan, round: id.round, n: id.n, attempt: row.attempts },
    settings: row.settings,
  };
}

/** Resolves the letter after a successful retry. */
export async function resolveHookLetter(tx: Tx, id: HookId): Promise<void> {
  await tx.query(
    `update dead_letter set state = 'resolved'
     where scan_id = $1 and kind = 'job' and state <> 'resolved'
       and evidence @> jsonb_build_object('job', 'hook', 'round', $2::int, 'n', $3::int)`,
    [id.scan, id.round, id.n],
  );
}
