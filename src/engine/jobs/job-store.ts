/** Queries on the tables of pg-boss that the library has no API for. */
import { many, type Queryable, type Tx } from '../../db/database.ts';

/** The queues that have a job due now. */
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

/** Acquires the sweep for jobs of dead processes: one process per `everyMs`, the first that asks. */
export async function acquireJobSweep(db: Queryable, everyMs: number): Promise<boolean> {
  const { rowCount } = await db.query(
    `update job_watch set watched_at = clock() where watched_at < clock() - $1 * interval '1 millisecond'`,
    [everyMs],
  );
  return rowCount > 0;
}

/** Does not wait; the lock is held until the transaction ends. */
export async function tryAdvisoryLock(tx: Tx, lock: number): Promise<boolean> {
  const { rows } = await tx.query<{ held: boolean }>('select pg_try_advisory_xact_lock($1) as held', [lock]);
  return rows[0]!.held;
}

/** Keeps the queue from being removed until the transaction ends. Returns false if it does not exist. */
export async function lockQueue(tx: Tx, name: string): Promise<boolean> {
  const { rowCount } = await tx.query('select from seine_jobs.queue where name = $1 for key share', [name]);
  return rowCount === 1;
}

/** Records that a process started to use these queues. */
export async function touchQueues(tx: Tx, names: readonly string[]): Promise<void> {
  await tx.query('update seine_jobs.queue set updated_on = now() where name = any($1::text[])', [names]);
}

const QUEUES_AT_ONCE = 100;

/**
 * Locks queues with this name prefix that no process started to use within the last hour. Sends to them
 * wait until the transaction ends. Queues that are locked by a sender are skipped.
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

/**
 * Removes the locked queues that have no job left to run. Jobs that have ended, kept for display only, are
 * deleted with them.
 */
export async function removeQueues(tx: Tx, names: readonly string[]): Promise<number> {
  await tx.query(`delete from seine_jobs.job where name = any($1::text[]) and state >= 'completed'`, [names]);
  const { rowCount } = await tx.query(
    `delete from seine_jobs.queue
     where name = any($1::text[]) and not exists (select from seine_jobs.job where job.name = queue.name)`,
    [names],
  );
  return rowCount;
}
