-- What 0036 could not say of columns that were empty. All of these tables have few rows.
alter table scan
  alter column reopen_count set not null,
  alter column active_seconds set not null,
  alter column max_findings_per_type set not null,
  alter column heartbeat_at set not null,
  drop constraint scan_base_scan_fkey,
  add constraint scan_parent_scan_fkey foreign key (parent_scan) references scan on delete set null;
alter table worker
  alter column heartbeat_at set not null,
  alter column concurrency set not null,
  alter column rate_limit_wait_ms set not null,
  alter column fenced_writes set not null;
alter table layout
  alter column group_id set not null,
  drop constraint layout_work_id_fkey,
  add constraint layout_group_id_fkey foreign key (group_id) references lease_group;
alter table projection
  alter column group_id set not null,
  drop constraint projection_work_id_fkey,
  add constraint projection_group_id_fkey foreign key (group_id) references lease_group;

-- Constraints and indexes of renamed tables that are named after their table.
do $$
declare
  old_name text;
  new_name text;
  entry record;
begin
  for old_name, new_name in values
    ('lease', 'range_lease'), ('work', 'lease_group'), ('held_count', 'held_lease_count'), ('split_hint', 'lease_split_hint'),
    ('budget', 'lease_group_budget'), ('bucket', 'token_bucket'), ('suspect', 'crash_suspect'), ('shard_run', 'shard_attempt'),
    ('parted_object', 'segmented_object'), ('part_result', 'segment_result'), ('object', 'object_result'), ('inventory', 'inventory_block'),
    ('hook', 'scan_hook')
  loop
    for entry in
      select conname as name from pg_constraint
      where conrelid = format('seine.%I', new_name)::regclass and starts_with(conname, old_name || '_') and not starts_with(conname, new_name || '_')
    loop
      execute format('alter table seine.%I rename constraint %I to %I', new_name, entry.name,
                     new_name || replace(substr(entry.name, length(old_name) + 1), '_work_id_', '_group_id_'));
    end loop;
    for entry in
      select index.relname as name from pg_index join pg_class index on index.oid = indexrelid
      where indrelid = format('seine.%I', new_name)::regclass and starts_with(index.relname, old_name || '_') and not starts_with(index.relname, new_name || '_')
    loop
      execute format('alter index seine.%I rename to %I', entry.name, new_name || substr(entry.name, length(old_name) + 1));
    end loop;
  end loop;
end $$;
