/**
 * Moves jobs out of the tables that versions before 0.2 used (pg-boss, schema `seine_jobs`), where processes of such a version may
 * still send some. To be removed, with the schema, once no upgrade from those versions is supported.
 *
 * A process takes only jobs that it runs itself, and only those that no old process fetched for a while; active ones when
 * their heartbeats have ceased. A row is deleted there and inserted here by one statement that skips rows locked by a fetch:
 * so either an old process or new ones run it. Old processes do not see new jobs, so they may send again what they
 * believe lost: such a duplicate is dropped while its original waits or runs.
 */
import { type PollingLoop, startPollingLoop } from '../../base/polling-loop.ts';
import type { Queryable } from '../../db/database.ts';
import { MAX_ATTEMPTS } from './job-store.ts';

/** Where pg-boss puts jobs whose process crashed at every attempt. */
const DEAD_LETTER_QUEUE = 'given-up';
const FIRST_AFTER_MS = 5000;
const EVERY_MS = 15_000;

export function startPgBossTransfer(
  db: Queryable,
  queues: readonly string[],
  reportTransient: (error: unknown) => void,
): PollingLoop {
  let isFirst = true; // short-lived commands leave the jobs to others
  let isNeeded: boolean | null = null;
  return startPollingLoop('move jobs of the previous version', async () => {
    if (isFirst) {
      isFirst = false;
      return FIRST_AFTER_MS;
    }
    try {
      isNeeded ??= await hasPgBossTables(db);
      if (isNeeded) while ((await transferJobs(db, queues)) > 0);
    } catch (error) {
      reportTransient(error);
    }
    return isNeeded === false ? Number.POSITIVE_INFINITY : EVERY_MS;
  });
}

/**
 * No process of an old version starts after the schema was migrated, so none creates the tables later. A role that has no rights to
 * them leaves them to other processes.
 */
export async function hasPgBossTables(db: Queryable): Promise<boolean> {
  const { rows } = await db.query<{ there: boolean }>(
    `select exists (
       select from pg_class join pg_namespace on pg_namespace.oid = relnamespace
       where nspname = 'seine_jobs' and relname = 'job' and has_schema_privilege(pg_namespace.oid, 'usage')
         and has_table_privilege(pg_class.oid, 'select') and has_table_privilege(pg_class.oid, 'update')
         and has_table_privilege(pg_class.oid, 'delete')) as there`,
  );
  return rows[0]!.there;
}

/**
 * Returns the number of jobs taken out of the old table. `retry_count` counts the claims but the first. Of a dead letter
 * pg-boss keeps the original queue.
 */
export async function transferJobs(db: Queryable, queues: readonly string[]): Promise<number> {
  const { rows } = await db.query<{ moved: number }>(
    `with due as (
       select id, name from seine_jobs.job
       where (name = any($1::text[]) or name = '${DEAD_LETTER_QUEUE}')
         and (state in ('created', 'retry') and start_after < now() - interval '10 seconds'
              or state = 'active'
                 and (heartbeat_on + (heartbeat_seconds + 10) * interval '1 second' < now()
                      or started_on + (expire_seconds + 10) * interval '1 second' < now()))
       order by created_on
       limit 100
       for update skip locked),
     old as (
       delete from seine_jobs.job using due where job.name = due.name and job.id = due.id
       returning job.*),
     converted as (
       select case when name = '${DEAD_LETTER_QUEUE}' then source_name else name end as queue, data as args, priority,
              case when name = '${DEAD_LETTER_QUEUE}' then coalesce(source_retry_count + 1, ${MAX_ATTEMPTS})
                   when state = 'created' then 0 else retry_count + 1 end as attempt,
              name = '${DEAD_LETTER_QUEUE}' as is_dead, state = 'active' as has_crashed, created_on
       from old),
     added as (
       insert into job (queue, args, priority, state, run_at, attempt, max_attempts, crashes, created_at)
       select distinct on (queue, args, is_exhausted) queue, args, priority,
              case when is_exhausted then 'exhausted' else 'available' end, clock(), attempt,
              ${MAX_ATTEMPTS}, case when is_exhausted then attempt else has_crashed::integer end, created_on
       from converted cross join lateral (select is_dead or attempt >= ${MAX_ATTEMPTS}) as ended(is_exhausted)
       where is_exhausted or not exists (
         select from job
         where job.queue = converted.queue and job.args = converted.args and job.state <> 'exhausted')
       order by queue, args, is_exhausted, attempt desc)
     select count(*) as moved from old`,
    [queues],
  );
  return rows[0]!.moved;
}

/** The arguments of the jobs of such queues that are left there, to be run or running. */
export async function pgBossJobs(db: Queryable, queuePrefix: string): Promise<object[]> {
  if (!(await hasPgBossTables(db))) return [];
  const { rows } = await db.query<{ data: object }>(
    `select data from seine_jobs.job
     where state < 'completed'
       and (starts_with(name, $1) or name = '${DEAD_LETTER_QUEUE}' and starts_with(source_name, $1))`,
    [queuePrefix],
  );
  return rows.map(({ data }) => data);
}
