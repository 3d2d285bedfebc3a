/** What we ask about jobs beside the library that carries them. */
import { many, type Queryable, type Tx } from '../../db/database.ts';

/** Those of the queues that have a job which may be run now. */
export async function dueQueues(db: Queryable, names: readonly string[]): Promise<Set<string>> {
  const { rows } = await db.query<{ name: string }>(
    `select queue.name from unnest($1::text[]) as queue(name)
     where exists (
       select from seine_jobs.job
       where job.name = queue.name and job.state < 'active' and job.start_after <= now())`,
    [names],
  );
  return new Set(rows.map(({ name }) => name));
}

/** Whether it is this process that looks for jobs whose process has died: one in `maxIntervalMs`, whichever asks first. */
export async function acquireJobSweep(db: Queryable, everyMs: number): Promise<boolean> {
  const { rowCount } = await db.query(
    `update job_watch set watched_at = clock() where watched_at < clock() - $1 * interval '1 millisecond'`,
    [everyMs],
  );
  return rowCount > 0;
}

/** Without waiting; held until the transaction ends. */
export async function tryAdvisoryLock(tx: Tx, lock: number): Promise<boolean> {
  const { rows } = await tx.query<{ held: boolean }>('select pg_try_advisory_xact_lock($1) as held', [lock]);
  return rows[0]!.held;
}

/** Keeps the queue from being removed until the transaction is over. False: it is not there. */
export async function lockQueue(tx: Tx, name: string): Promise<boolean> {
  const { rowCount } = await tx.query('select from seine_jobs.queue where name = $1 for key share', [name]);
  return rowCount === 1;
}

/** A process begins to use them. */
export async function touchQueues(tx: Tx, names: readonly string[]): Promise<void> {
  await tx.query('update seine_jobs.queue set updated_on = now() where name = any($1::text[])', [names]);
}

const QUEUES_AT_ONCE = 100;

/**
 * Queues whose name begins so, that no process has begun to use for an hour. They are locked: nobody sends to them until the
 * transaction is over. Those that somebody sends to now are left out.
 */
export async function lockUnusedQueues(tx: Tx, prefix: string): Promise<string[]> {
  const rows = await many<{ name: string }>(
    tx,
    `select name from seine_jobs.queue
     where starts_with(name, $1) and updated_on < now() - interval '1 hour'
     order by name
     limit ${QUEUES_AT_ONCE}
     for update skip locked`,
    [prefix],
  );
  return rows.map(({ name }) => name);
}

/** Of the locked ones those without a job that is to be run. A job that has ended is only kept for people, and goes too. */
export async function removeQueues(tx: Tx, names: readonly string[]): Promise<number> {
  await tx.query(`delete from seine_jobs.job where name = any($1::text[]) and state >= 'completed'`, [names]);
  const { rowCount } = await tx.query(
    `delete from seine_jobs.queue
     where name = any($1::text[]) and not exists (select from seine_jobs.job where job.name = queue.name)`,
    [names],
  );
  return rowCount;
}
