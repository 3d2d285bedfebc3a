-- The job queue; see engine/jobs/jobs.ts. A job is deleted when it has ended: the table holds what remains to be done.
create table job (
  id           bigint generated always as identity primary key,
  queue        text not null,
  args         jsonb not null,
  priority     integer not null default 0,       -- higher first, within a queue
  unique_key   text,                             -- at most one job of a queue has it
  state        text not null default 'available' check (state in ('available', 'running', 'exhausted')),
  run_at       timestamptz not null,             -- not before
  attempt      integer not null default 0,       -- claims so far
  max_attempts integer not null,
  crashes      integer not null default 0,       -- attempts whose claim expired
  error        text,                             -- of the last attempt; null: its claim expired
  token        bigint not null default 0,        -- fencing: grows with every claim
  claim_id     uuid,                             -- random, new for each claim: see 0019_claims.sql
  expires_at   timestamptz,                      -- of the claim
  renewed_at   timestamptz,
  created_at   timestamptz not null default clock()
);
create index job_available on job (queue, priority desc, run_at, id) where state = 'available';
-- Not by expires_at: a heartbeat updates no index.
create index job_running on job (id) where state = 'running';
create index job_exhausted on job (run_at, id) where state = 'exhausted';
create unique index job_unique on job (queue, unique_key) where unique_key is not null;

-- When expired jobs were last looked for. Processes of the previous version take turns by watched_at, for their own table.
alter table job_watch add column swept_at timestamptz not null default '-infinity';
