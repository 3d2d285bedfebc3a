-- Many workers on one database: what they tell about themselves, claims across scans, dead letters.

-- The only clock that decides about leases. A simulation replaces this function to set the time; nothing else does.
create function clock() returns timestamptz language sql stable as 'select now()';

-- Told by the worker every few seconds, for people and for the leader; no lease depends on it.
alter table worker
  add column version       text not null default '',
  add column threads       integer not null default 0,
  add column hands         integer not null default 0,       -- shards at a time
  add column draining      boolean not null default false,
  add column objects       bigint not null default 0,        -- since it started
  add column bytes         bigint not null default 0,
  add column findings      bigint not null default 0,
  add column waited_ms     bigint not null default 0,        -- for the rate limit
  add column refused       integer not null default 0,       -- checkpoints refused because the lease was lost
  add column progressed_at timestamptz not null default now();

alter table work
  add column place     text,                        -- null: any worker; else only those that see this place (a machine's own folder)
  add column quota     text,                        -- works that share it share its cap
  add column cap       integer,                     -- leases of one quota held at once, at most
  add column cancelled integer not null default 0;  -- leases that ended because nobody wants them any more

alter table lease
  add column parent     bigint,                     -- the lease it was split from
  add column failures   integer not null default 0, -- runs that threw since the cursor last moved; crashes don't count
  add column claimed_at timestamptz,
  add column moved_at   timestamptz not null default now(), -- when the cursor last moved
  drop constraint lease_state_check,
  add constraint lease_state_check check (state in ('waiting', 'held', 'done', 'failed', 'cancelled'));
create index lease_held on lease (work_id) where state = 'held';
create index work_unfinished on work (kind) where remaining > 0;

-- Leadership is a lease as well: one position that one worker holds at a time. Its token is the fence of what a leader writes.
insert into work (id, tenant, kind, remaining) overriding system value values (0, '', 'leader', 1);
insert into lease (tenant, work_id, after_key, cursor, reserved) values ('', 0, '', '', '');

alter table scan
  add column round integer not null default 0,      -- how often it was opened again after its end: a dead letter was retried
  drop constraint scan_status_check,
  add constraint scan_status_check check (status in
    ('planning', 'running', 'interrupted', 'paused', 'finalizing', 'completed', 'incomplete', 'failed', 'cancelled'));

-- Shards are ranges of the listing, or a list of objects that are looked at once more.
alter table shard
  add column kind text not null default 'range' check (kind in ('range', 'retry', 'part'));

create table retry_key (
  lease_id bigint not null references lease on delete cascade,
  tenant   text not null,
  key      bytea not null
);
create index retry_key_of_lease on retry_key (lease_id);

-- What failed for good, kept with its reason until somebody retries or purges it.
create table dead_letter (
  id         bigint generated always as identity primary key,
  tenant     text not null,
  scan_id    bigint not null references scan on delete cascade,
  kind       text not null check (kind in ('object', 'shard', 'job')),
  key        bytea,                       -- of the object
  lease_id   bigint,                      -- of the shard, or the one that met the object
  path       text not null,               -- for people: the object, the range, the job
  signature  text not null,               -- the reason without what is particular to this case: equal causes look equal
  reason     text not null,
  evidence   jsonb not null default '{}', -- size, attempts, worker, error, job data; never content
  attempts   integer not null default 1,
  state      text not null default 'open' check (state in ('open', 'retrying', 'resolved')),
  created_at timestamptz not null default now(),
  retried_at timestamptz
);
create index dead_letter_of_scan on dead_letter (scan_id, state, id);
create index dead_letter_open on dead_letter (tenant, signature) where state = 'open';
