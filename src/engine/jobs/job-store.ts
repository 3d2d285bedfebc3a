/** What we ask about jobs beside the library that carries them. */
import type { Queryable, Tx } from '../../db/database.ts';

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

/** Whether it is this process that looks for jobs whose process has died: one in `everyMs`, whichever asks first. */
export async function claimWatch(db: Queryable, everyMs: number): Promise<boolean> {
  const { rowCount } = await db.query(
    `update job_watch set watched_at = clock() where watched_at < clock() - $1 * interval '1 millisecond'`,
    [everyMs],
  );
  return rowCount > 0;
}

/** Without waiting; held until the transaction ends. */
export async function tryLock(tx: Tx, lock: number): Promise<boolean> {
  const { rows } = await tx.query<{ held: boolean }>('select pg_try_advisory_xact_lock($1) as held', [lock]);
  return rows[0]!.held;
}
