-- Runners of several versions of a workflow's code on one database, and logs that were restored from a dump.
-- See workflows/versions/newer-version.ts and workflows/archive/rebase.ts.

-- The lowest version of a workflow's definition that may process it: of its events, and of the code that asked for its actions and timers.
-- 0031 writes it of workflows that have events of newer versions already: no process that goes by it starts before that is done.
alter table workflow add column needs_version smallint not null default 1;

-- Workflows whose events were read by a runner that must not react to them. A row is written with the offset that passes the event, and
-- removed with the reactions, so nothing is forgotten in between.
create table deferred_reaction (
  workflow_key  bigint primary key references workflow on delete cascade,
  workflow      text not null,
  hash          numeric not null,          -- whose part it is in reacts
  needs_version smallint not null,
  since         timestamptz not null default clock()
);
create index deferred_reaction_of on deferred_reaction (workflow, needs_version);

-- The highest version that a workflow of this part was found to need: runners of lower versions leave the part to those that have it.
alter table reader add column needs_version smallint not null default 1;

-- Which version of each of its workflows a runner has, in the order of `workflows`; and its partition, if that is fixed.
alter table worker
  add column workflow_versions smallint[] not null default '{}',
  add column partition_index   integer;

-- Of which version of the state a snapshot is.
alter table snapshot add column state_version smallint not null default 1;

-- Which cluster counts the transactions of the log. xmin is what the server says of the transaction that wrote this row: a row that was
-- loaded from a dump has another one than it says itself, and then the numbers in the log mean nothing, unless the dump came back into the
-- same cluster. A standby, a copy of the files and pg_upgrade keep xmin. Needs no privileges; `cluster` is null where it may not be asked for.
create function cluster_identifier() returns bigint language plpgsql stable as $$
begin
  return (select system_identifier from pg_control_system());
exception when others then
  return null;
end $$;

create table log_origin (
  only_row boolean primary key default true check (only_row),
  xid      xid8 not null default pg_current_xact_id(),
  relation oid not null default 'log_origin'::regclass,
  cluster  bigint default cluster_identifier()
);
insert into log_origin default values;

create function is_own_log() returns boolean language plpgsql stable as $$
begin
  if exists (select from log_origin where xmin = xid::xid and tableoid = relation) then return true; end if;
  return exists (select from log_origin where cluster = cluster_identifier());
end $$;

-- For statements that write or read by transaction numbers: as a subselect without a reference to their rows it is evaluated once for each.
create function require_own_log() returns boolean language plpgsql stable as $$
begin
  if is_own_log() then return true; end if;
  raise exception 'the event log was written by another database cluster' using errcode = 'SE001';
end $$;
