-- Rate limits that all workers share, and budgets of works.

-- The schedule of a quota, when no Redis keeps it; see engine/limits/limit.ts. Unlogged: it changes several times a second
-- and is worth nothing after a crash; a bucket that is missing begins empty.
create unlogged table bucket (
  quota        text primary key,              -- provider and credential
  free_at      timestamptz not null,          -- given away up to here
  rate         double precision not null,     -- tokens per second, at cut_at; it grows back from there
  cut_at       timestamptz not null,
  paused_until timestamptz not null
) with (fillfactor = 10);

-- What a work may use and has used; see engine/budget/budget.ts. A limit that is null is none.
create table budget (
  work_id      bigint primary key references work on delete cascade,
  tenant       text not null,
  max_requests bigint,
  max_bytes    bigint,
  max_cost     bigint,                        -- a billionth of the currency
  max_seconds  double precision,
  currency     text not null default '$',
  requests     bigint not null default 0,     -- reserved counts as used until it is given back
  bytes        bigint not null default 0,
  cost         bigint not null default 0,
  seconds      double precision not null default 0, -- while somebody worked, by this database's clock
  seen_at      timestamptz,                   -- somebody worked
  spent        text check (spent in ('requests', 'bytes', 'cost', 'time')) -- the limit that was met; stays until it is raised
) with (fillfactor = 50);
