-- Work that has a position: leases on key ranges, counted by the work they belong to. See engine/leases/lease.ts.

-- A process that holds leases. It serves all tenants, so it has none.
create table worker (
  id         uuid primary key,
  host       text not null,
  pid        integer not null,
  started_at timestamptz not null default now(),
  seen_at    timestamptz not null default now()
);

create table work (
  id        bigint generated always as identity primary key,
  tenant    text not null,
  kind      text not null,
  paused    boolean not null default false,
  priority  integer not null default 0,
  remaining integer not null default 0, -- leases that have not ended; 0 is reached once
  failed    integer not null default 0  -- leases that ended badly: the work has holes
);

create table lease (
  id         bigint generated always as identity primary key,
  tenant     text not null,
  work_id    bigint not null references work on delete cascade,
  after_key  bytea not null,              -- the range (after_key, up_to]
  up_to      bytea,                       -- null: to the end
  cursor     bytea not null,              -- everything up to here is done
  reserved   bytea not null,              -- the holder may be busy up to here; a split lies beyond
  state      text not null default 'waiting' check (state in ('waiting', 'held', 'done', 'failed')),
  token      bigint not null default 0,   -- fencing: grows with every claim
  step       bigint not null default 0,   -- grows with every checkpoint, so a repeated one is recognised
  attempts   integer not null default 0,  -- claims since the cursor last moved
  holder     uuid,
  expires_at timestamptz,
  not_before timestamptz not null default now(),
  error      text
);
create index lease_claimable on lease (work_id, id) where state in ('waiting', 'held');
