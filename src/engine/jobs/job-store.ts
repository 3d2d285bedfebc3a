/** SQL statements of jobs, one function each. The protocol is described in jobs.ts. */
import type { Queryable, Tx } from '../../db/database.ts';
import { sanitizeJson, sanitizeText } from '../../db/sanitize.ts';
import { WORK_CHANNEL } from '../workers/work-channel.ts';

/** One attempt, and five more with growing pauses between them: about half a minute in all. */
export const MAX_ATTEMPTS = 6;

/** Seconds until the next attempt: doubled each time up to about an hour, the upper half of it at random. */
const BACKOFF = `power(2, least(attempt, 12) - 1) * (1 + random()) * interval '1 second'`;

const NOTIFICATION_PREFIX = 'job ';

/** The queue that a notification of WORK_CHANNEL announces a job of, or null if it is about leases. */
export function queueOfNotification(payload: string): string | null {
  return payload.startsWith(NOTIFICATION_PREFIX) ? payload.slice(NOTIFICATION_PREFIX.length) : null;
}

export interface NewJob {
  readonly queue: string;
  readonly args: object;
  readonly afterMs: number;
  readonly priority: number;
  readonly uniqueKey: string | null;
}

/** Adds the job unless one with its unique key exists. Listeners are notified at the commit if it is due. */
export async function insertJob(
  tx: Tx,
  { queue, args, afterMs, priority, uniqueKey }: NewJob,
): Promise<void> {
  await tx.query(
    `with added as (
       insert into job (queue, args, run_at, priority, unique_key, max_attempts)
       values ($1, $2, clock() + $3 * interval '1 millisecond', $4, $5, ${MAX_ATTEMPTS})
       on conflict (queue, unique_key) where unique_key is not null do nothing
       returning run_at)
     select pg_notify('${WORK_CHANNEL}', '${NOTIFICATION_PREFIX}' || $1) from added where run_at <= clock()`,
    [queue, sanitizeJson(args), afterMs, priority, uniqueKey],
  );
}

/** The queues that have a job due now; null stands for exhausted jobs, of any queue. */
export async function dueQueues(db: Queryable, queues: readonly string[]): Promise<Set<string | null>> {
  const { rows } = await db.query<{ queue: string | null }>(
    `select queue from unnest($1::text[]) as ours(queue)
     where exists (
       select from job where job.queue = ours.queue and state = 'available' and run_at <= clock())
     union all
     select null where exists (select from job where state = 'exhausted' and run_at <= clock())`,
    [queues],
    'due jobs',
  );
  return new Set(rows.map(({ queue }) => queue));
}

/** A job that this process may run until the claim expires. Every write of the holder matches token and claim id. */
export interface ClaimedJob {
  readonly id: number;
  readonly queue: string;
  readonly args: object;
  readonly token: number;
  readonly claimId: string;
  readonly attempt: number;
  readonly maxAttempts: number;
}

/** Claims a due job of the first of these queues that has any. Jobs that others claim concurrently are skipped. */
export async function claimJob(
  db: Queryable,
  queues: readonly string[],
  ttlMs: number,
): Promise<ClaimedJob | null> {
  const { rows } = await db.query<ClaimedJob>(
    `with next as (
       select due.id
       from unnest($1::text[]) as ours(queue) cross join lateral (
         select id from job
         where job.queue = ours.queue and state = 'available' and run_at <= clock()
         order by priority desc, run_at, id
         limit 1
         for update skip locked) as due
       limit 1)
     update job
     set state = 'running', attempt = attempt + 1, token = token + 1, claim_id = gen_random_uuid(),
         expires_at = clock() + $2 * interval '1 millisecond', renewed_at = clock()
     from next where job.id = next.id
     returning job.id, queue, args, token, claim_id as "claimId", attempt, max_attempts as "maxAttempts"`,
    [queues, ttlMs],
    'claim job',
  );
  return rows[0] ?? null;
}

/** The heartbeat of the holder. Returns false when the claim is lost. */
export async function renewJob(db: Queryable, job: ClaimedJob, ttlMs: number): Promise<boolean> {
  const { rowCount } = await db.query(
    `update job set expires_at = clock() + $4 * interval '1 millisecond', renewed_at = clock()
     where id = $1 and token = $2 and claim_id = $3 and state = 'running'`,
    [...fenceOf(job), ttlMs],
  );
  return rowCount === 1;
}

/** Returns false when the claim is lost, or when an earlier call did it and its answer was lost. */
export async function completeJob(db: Queryable, job: ClaimedJob): Promise<boolean> {
  const { rowCount } = await db.query(
    `delete from job where id = $1 and token = $2 and claim_id = $3 and state = 'running'`,
    fenceOf(job),
  );
  return rowCount === 1;
}

/** Ends a failed attempt; another follows after a pause unless `isLast`. Returns false when the claim is lost. */
export async function failJob(
  db: Queryable,
  job: ClaimedJob,
  error: string,
  isLast: boolean,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update job
     set state = case when $5 then 'exhausted' else 'available' end,
         run_at = case when $5 then clock() else clock() + ${BACKOFF} end,
         error = $4, claim_id = null, expires_at = null
     where id = $1 and token = $2 and claim_id = $3 and state = 'running'`,
    [...fenceOf(job), sanitizeText(error), isLast],
  );
  return rowCount === 1;
}

/** Gives the job back as if it had not been claimed. Returns false when the claim is lost. */
export async function releaseJob(db: Queryable, job: ClaimedJob): Promise<boolean> {
  const { rowCount } = await db.query(
    `update job set state = 'available', run_at = clock(), attempt = attempt - 1, claim_id = null, expires_at = null
     where id = $1 and token = $2 and claim_id = $3 and state = 'running'`,
    fenceOf(job),
  );
  return rowCount === 1;
}

/** Ends the attempts whose claim expired, because their process crashed or could not reach the database. */
export async function failExpiredJobs(db: Queryable): Promise<number> {
  const { rowCount } = await db.query(
    `with expired as (
       select id from job where state = 'running' and lease_expired(expires_at, renewed_at)
       for update skip locked)
     update job
     set state = case when attempt < max_attempts then 'available' else 'exhausted' end,
         run_at = case when attempt < max_attempts then clock() + ${BACKOFF} else clock() end,
         crashes = crashes + 1, error = null, claim_id = null, expires_at = null
     from expired where job.id = expired.id`,
  );
  return rowCount;
}

export interface ExhaustedJob {
  readonly id: number;
  readonly queue: string;
  readonly args: object;
  readonly crashes: number;
  /** Of the last attempt; null: its claim expired. */
  readonly error: string | null;
}

/** Removes a job without attempts left, in the transaction that writes its dead letter. */
export async function removeExhaustedJob(tx: Tx): Promise<ExhaustedJob | null> {
  const { rows } = await tx.query<ExhaustedJob>(
    `with next as (
       select id from job where state = 'exhausted' and run_at <= clock()
       order by run_at, id
       limit 1
       for update skip locked)
     delete from job using next where job.id = next.id
     returning job.id, queue, args, crashes, error`,
  );
  return rows[0] ?? null;
}

/** Its dead letter could not be written: it is tried again after a pause, as often as necessary. */
export async function delayExhaustedJob(db: Queryable, id: number): Promise<void> {
  await db.query(
    `update job set attempt = attempt + 1, run_at = clock() + ${BACKOFF} where id = $1 and state = 'exhausted'`,
    [id],
  );
}

/** Acquires the sweep for expired jobs: one process per `everyMs`, the first that asks. */
export async function acquireJobSweep(db: Queryable, everyMs: number): Promise<boolean> {
  const { rowCount } = await db.query(
    'update job_watch set swept_at = clock() where not is_recent(swept_at, $1)',
    [everyMs],
  );
  return rowCount > 0;
}

/** Deletes jobs of queues with this prefix that have been due for so many days, such as those for a machine that is gone. */
export async function deleteUnclaimedJobs(tx: Tx, prefix: string, days: number): Promise<number> {
  const { rowCount } = await tx.query(
    `delete from job using (
       select id from job
       where starts_with(queue, $1) and state = 'available' and run_at < clock() - $2 * interval '1 day'
       limit 1000
       for update skip locked) as stale
     where job.id = stale.id`,
    [prefix, days],
  );
  return rowCount;
}

function fenceOf({ id, token, claimId }: ClaimedJob): [number, number, string] {
  return [id, token, claimId];
}
