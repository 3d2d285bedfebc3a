import type { Queryable } from '../../db/database.ts';

/** The tables of pg-boss 12 as far as the transfer is concerned: the columns, types and partitions are the same. */
export async function createPgBossTables(db: Queryable): Promise<void> {
  await db.query(`
    create schema seine_jobs;
    create type seine_jobs.job_state as enum ('created', 'retry', 'active', 'completed', 'cancelled', 'failed');
    create table seine_jobs.job (
      id uuid not null default gen_random_uuid(),
      name text not null,
      priority integer not null default 0,
      data jsonb,
      state seine_jobs.job_state not null default 'created',
      retry_limit integer not null default 5,
      retry_count integer not null default 0,
      expire_seconds integer not null default 82800,
      start_after timestamptz not null default now(),
      created_on timestamptz not null default now(),
      started_on timestamptz,
      completed_on timestamptz,
      heartbeat_on timestamptz,
      heartbeat_seconds integer default 15,
      source_name text,
      source_retry_count integer
    ) partition by list (name);
    create table seine_jobs.job_common (
      like seine_jobs.job including defaults,
      primary key (name, id)
    );
    alter table seine_jobs.job attach partition seine_jobs.job_common default`);
}

export interface PgBossJob {
  readonly name: string;
  readonly data: object;
  readonly state?: 'created' | 'retry' | 'active' | 'completed' | 'failed';
  readonly retryCount?: number;
  /** Since it is due, or since its last heartbeat. */
  readonly secondsAgo: number;
  /** Of a dead letter. */
  readonly sourceName?: string;
}

/** Adds a job as a process of an earlier version leaves it. */
export async function addPgBossJob(db: Queryable, job: PgBossJob): Promise<void> {
  const { name, data, state = 'created', retryCount = 0, secondsAgo, sourceName = null } = job;
  await db.query(
    `insert into seine_jobs.job (name, data, state, retry_count, start_after, started_on, heartbeat_on, source_name, source_retry_count)
     select $1, $2, $3::text::seine_jobs.job_state, $4, at,
            case when $3 <> 'created' then at end, case when $3 = 'active' then at end, $6::text,
            case when $6 is not null then 5 end
     from (select now() - $5 * interval '1 second' as at) as since`,
    [name, JSON.stringify(data), state, retryCount, secondsAgo, sourceName],
  );
}
