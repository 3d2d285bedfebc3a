-- Findings that are known and accepted. A row is never changed in what it accepts, and stays when it is taken back: scans keep the
-- numbers of those they ran under.
create table suppression (
  id          bigint generated always as identity primary key,
  tenant      text not null,
  match_hash  text not null,        -- of what it accepts: equal ones are one
  detector    text not null,
  fingerprint text,                 -- keyed hash of the value; null: any value of the detector, then there is a path or an object
  path        text,                 -- a glob
  source      text,                 -- of one source only
  object_key  bytea,                -- in one object only
  reason      text not null check (reason <> ''),
  owner       text not null check (owner <> ''),
  created_at  timestamptz not null default clock(),
  created_by  text not null,
  expires_at  timestamptz,
  removed_at  timestamptz,
  removed_by  text,
  hits        bigint not null default 0, -- findings that it accepted, over all scans
  last_hit_at timestamptz,
  last_hit_scan bigint,             -- may be gone
  check (fingerprint is not null or path is not null or object_key is not null)
);
create unique index suppression_once on suppression (tenant, match_hash) where removed_at is null;

alter table scan add column suppressions bigint[] not null default '{}'; -- in force when it began; it ends under them

-- By detector and by suppression. They are in none of the other counts.
alter table object
  add column suppressed jsonb not null default '{}',
  add column suppressed_by jsonb not null default '{}';
create index object_suppressed on object (scan_id) where suppressed_by <> '{}';
alter table part_result add column suppressed json;

-- What the end of a scan added to `hits`, so that ending it again adds only the difference.
create table suppression_hit (
  scan_id        bigint not null references scan on delete cascade,
  suppression_id bigint not null references suppression,
  tenant         text not null,
  hits           bigint not null,
  primary key (scan_id, suppression_id)
);

-- A named set of findings that later scans are compared with. It outlives its scan.
create table baseline (
  id            bigint generated always as identity primary key,
  tenant        text not null,
  name          text not null,
  scan_id       bigint not null,    -- may be gone
  source        text not null,
  inventory_key text not null,      -- the scan's: tells whether the rules are still the same
  created_at    timestamptz not null default clock(),
  created_by    text not null,
  unique (tenant, name)
);
create table baseline_object (
  id          bigint generated always as identity primary key,
  baseline_id bigint not null references baseline on delete cascade,
  tenant      text not null,
  key         bytea not null,
  counts      jsonb not null        -- findings by detector, exact
);
create index baseline_object_of on baseline_object (baseline_id);
create table baseline_finding (
  object_id   bigint not null references baseline_object on delete cascade,
  tenant      text not null,
  detector    text not null,
  fingerprint text not null,
  count       integer not null,
  primary key (object_id, fingerprint)
);
