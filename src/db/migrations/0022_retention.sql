-- Forgetting what is old costs what is forgotten, not what is kept; and no transaction of it is long. See scans/retention-store.ts
-- and scans/removal-store.ts.

-- Every foreign key has an index on its own side: without it, each deleted row reads the whole table that refers to it. That of lease is in
-- the next migration.
create index layout_of_work on layout (work_id);
create index suppression_hit_of on suppression_hit (suppression_id);

-- The round of the scan whose leases were put together: a scan that was opened again since is put together again.
alter table scan add column rolled_up integer;
create index scan_to_roll_up on scan (finished_at) where finished_at is not null and rolled_up is distinct from round;

-- The newest scan of a source is kept, however old: looking for what may go must not read all of those again and again. Marks are written
-- after a scan has ended, whichever version ended it, and for all that ended before this migration. See scans/superseded-store.ts.
alter table scan
  add column superseded boolean not null default false, -- a newer one of the same source has ended, at some time
  add column supersedes boolean not null default false; -- since it has ended, all older ones of its source have got that mark
create index scan_superseded on scan (finished_at) where superseded and finished_at is not null;
create index scan_not_superseded on scan (tenant, hashtextextended(source, 0), id) where not superseded;
create index scan_to_supersede on scan (id) where not supersedes and finished_at is not null;

-- A scan that is removed goes at once for whoever asks for it. What there may be millions of stays behind without it, and is removed
-- a little at a time. A trigger writes this down, because earlier versions that still run delete scans as well.
create table scan_removal (
  scan_id      bigint primary key,           -- of the scan and its work
  tenant       text not null,
  removed_at   timestamptz not null default clock(),
  objects_from bytea not null default ''     -- its objects before are gone, in the order of object_in_order
);
create function remember_removed_scan() returns trigger language plpgsql as $$
begin
  insert into seine.scan_removal (scan_id, tenant) values (old.id, old.tenant) on conflict do nothing;
  return null;
end $$;
create trigger scan_removed after delete on scan for each row execute function remember_removed_scan();

alter table object drop constraint object_scan_id_fkey;
alter table inventory drop constraint inventory_scan_id_fkey;
alter table ledger drop constraint ledger_scan_id_fkey;
alter table shard drop constraint shard_scan_id_fkey;
alter table dead_letter drop constraint dead_letter_scan_id_fkey;

-- Rows that are written again and again while their neighbours are not: with room on their page for the next version, no index is touched
-- and the old version is cleaned up in passing. Where most rows of a large table have ended, a fifth of all of them (the default) is far
-- too late for a vacuum. Pages that are full already stay as they are.
alter table lease set (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500);
alter table shard set (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500);
alter table ledger set (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500);
alter table split_hint set (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500);
alter table workflow set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500);
-- Few rows, each written several times a second.
alter table work set (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 200);
alter table scan set (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 200);
alter table worker set (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 200);
alter table budget set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 200);
alter table bucket set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 200);
