-- What is scanned and what came out. Keys are bytes: they need not be valid text.

create table scan (
  id            bigint primary key references work on delete cascade,
  tenant        text not null,
  source        text not null,            -- fs:/srv/share
  target        text not null,            -- as it was asked for
  scope         jsonb not null,           -- what was asked for: include, exclude, sample, sizes, dates
  scope_hash    text not null,            -- of that together with the paths of the rules
  rules         jsonb not null,           -- the whole rule set, so that an interrupted scan can go on under it
  rules_hash    text not null,
  rules_file    text,
  keep_each     integer not null,         -- findings kept of each object and type
  inventory_key text not null,            -- versions, rules and settings that a result depends on
  base_scan     bigint references scan,   -- whose inventory tells what is unchanged; kept while it is needed
  status        text not null default 'planning'
                check (status in ('planning', 'running', 'interrupted', 'finalizing', 'completed', 'incomplete', 'failed')),
  error         text,
  worked        double precision not null default 0, -- seconds of work, without the time it lay interrupted
  seen_at       timestamptz not null default now(),
  created_at    timestamptz not null default now(),
  finished_at   timestamptz
);
create index scan_of_source on scan (tenant, source, inventory_key, id desc);

-- What became of the objects, counted per shard. `listed` on the shard is counted apart: the two must agree.
create table shard (
  lease_id   bigint primary key references lease on delete cascade,
  scan_id    bigint not null references scan on delete cascade,
  tenant     text not null,
  listed     bigint not null default 0,
  bytes_read bigint not null default 0
);
create index shard_of_scan on shard (scan_id);

create table ledger (
  scan_id  bigint not null references scan on delete cascade,
  tenant   text not null,
  lease_id bigint not null,
  outcome  text not null check (outcome in ('scanned', 'unchanged', 'partial', 'skipped', 'dead')),
  reason   text not null default '',
  objects  bigint not null,
  bytes    bigint not null,
  primary key (scan_id, lease_id, outcome, reason)
);

-- Only objects about which there is something to say: findings, or not fully read. Clean ones are in the inventory.
-- Keys can be longer than an index entry may be (a deep tree): they are unique by hash and ordered by their beginning.
create table object (
  id       bigint generated always as identity primary key,
  scan_id  bigint not null references scan on delete cascade,
  tenant   text not null,
  key      bytea not null,
  path     text not null,   -- the key for people
  folder   text not null,
  outcome  text not null,
  reason   text not null default '',
  size     bigint not null,
  modified timestamptz,
  score    smallint,
  points   real,            -- the score before it is capped at 100: tells the worst from the bad
  tier     text,
  counts   jsonb not null default '{}'  -- findings by detector, exact
);
create unique index object_once on object (scan_id, sha256(key));
create index object_in_order on object (scan_id, substring(key from 1 for 1024));
create index object_by_risk on object (scan_id, points desc) where tier is not null;

create table finding (
  object_id   bigint not null references object on delete cascade,
  n           integer not null,  -- from 0, in order of place
  tenant      text not null,
  part        text,
  detector    text not null,
  category    text not null,
  field       text,
  start_byte  bigint not null,
  end_byte    bigint not null,
  line        bigint not null,
  col         bigint not null,
  confidence  real not null,
  masked      text not null,
  fingerprint text not null,
  reasons     text[] not null,
  primary key (object_id, n)
);

-- Sixteen bytes for each object, in key order: what it was when it was scanned. See scans/inventory.ts.
create table inventory (
  scan_id bigint not null references scan on delete cascade,
  tenant  text not null,
  up_to   bytea not null,   -- the key of the block's last entry
  entries bytea not null
);
create index inventory_in_order on inventory (scan_id, substring(up_to from 1 for 1024));
alter table inventory alter column entries set storage external; -- hashes don't compress

-- Objects that are looked at one by one, because the process died in their neighbourhood. See scans/careful.ts.
create table suspect (
  scan_id  bigint not null references scan on delete cascade,
  tenant   text not null,
  key      bytea not null,
  attempts integer not null
);
create unique index suspect_once on suspect (scan_id, sha256(key));

-- Facts about this installation, such as the check value of the fingerprint key.
create table setting (
  tenant text not null,
  name   text not null,
  value  text not null,
  primary key (tenant, name)
);
