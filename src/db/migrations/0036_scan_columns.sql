-- Columns of small tables under standard names. The previous version groups by the primary keys of `scan` and `layout`, which a view does not
-- have, so these tables keep their names: instead of views, the old columns stay for a version, and a trigger keeps both equal,
-- whichever of them a statement writes. Rows that are there are filled by 0037.

alter table scan
  add column parent_scan bigint,                 -- base_scan: whose inventory tells what is unchanged
  add column reopen_count integer,               -- round: how often it was opened again after its end
  add column active_seconds double precision,    -- worked: without the time it was interrupted
  add column max_findings_per_type integer,      -- keep_each: stored of each object and type
  add column heartbeat_at timestamptz;           -- seen_at

alter table worker
  add column heartbeat_at timestamptz,           -- seen_at
  add column concurrency integer,                -- hands: shards at a time
  add column rate_limit_wait_ms bigint,          -- waited_ms
  add column fenced_writes integer,              -- refused: checkpoints that were rejected because the lease was lost
  add column host_affinity text;                 -- sees_place: whose folders it sees; null: an earlier version

-- work_id
alter table layout add column group_id bigint;
alter table projection add column group_id bigint;

-- The value of a column that has two names. `renamed` wins in an insert; in an update, the one that was changed.
create function renamed_value(renamed anyelement, old_name anyelement, before_renamed anyelement, before_old_name anyelement)
  returns anyelement language sql immutable as $$
  select case
    when old_name is distinct from before_old_name then old_name
    when renamed is distinct from before_renamed then renamed
    else old_name
  end
$$;

create function sync_scan_columns() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    new.parent_scan := coalesce(new.parent_scan, new.base_scan);
    new.reopen_count := coalesce(new.reopen_count, new.round);
    new.active_seconds := coalesce(new.active_seconds, new.worked);
    new.max_findings_per_type := coalesce(new.max_findings_per_type, new.keep_each);
    new.heartbeat_at := coalesce(new.heartbeat_at, new.seen_at);
  else
    new.parent_scan := seine.renamed_value(new.parent_scan, new.base_scan, old.parent_scan, old.base_scan);
    new.reopen_count := seine.renamed_value(new.reopen_count, new.round, old.reopen_count, old.round);
    new.active_seconds := seine.renamed_value(new.active_seconds, new.worked, old.active_seconds, old.worked);
    new.max_findings_per_type := seine.renamed_value(new.max_findings_per_type, new.keep_each, old.max_findings_per_type, old.keep_each);
    new.heartbeat_at := seine.renamed_value(new.heartbeat_at, new.seen_at, old.heartbeat_at, old.seen_at);
  end if;
  new.base_scan := new.parent_scan;
  new.round := new.reopen_count;
  new.worked := new.active_seconds;
  new.keep_each := new.max_findings_per_type;
  new.seen_at := new.heartbeat_at;
  return new;
end $$;
create trigger sync_columns before insert or update on scan for each row execute function sync_scan_columns();

create function sync_worker_columns() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    new.heartbeat_at := coalesce(new.heartbeat_at, new.seen_at);
    new.concurrency := coalesce(new.concurrency, new.hands);
    new.rate_limit_wait_ms := coalesce(new.rate_limit_wait_ms, new.waited_ms);
    new.fenced_writes := coalesce(new.fenced_writes, new.refused);
    new.host_affinity := coalesce(new.host_affinity, new.sees_place);
  else
    new.heartbeat_at := seine.renamed_value(new.heartbeat_at, new.seen_at, old.heartbeat_at, old.seen_at);
    new.concurrency := seine.renamed_value(new.concurrency, new.hands, old.concurrency, old.hands);
    new.rate_limit_wait_ms := seine.renamed_value(new.rate_limit_wait_ms, new.waited_ms, old.rate_limit_wait_ms, old.waited_ms);
    new.fenced_writes := seine.renamed_value(new.fenced_writes, new.refused, old.fenced_writes, old.refused);
    new.host_affinity := seine.renamed_value(new.host_affinity, new.sees_place, old.host_affinity, old.sees_place);
  end if;
  new.seen_at := new.heartbeat_at;
  new.hands := new.concurrency;
  new.waited_ms := new.rate_limit_wait_ms;
  new.refused := new.fenced_writes;
  new.sees_place := new.host_affinity;
  return new;
end $$;
create trigger sync_columns before insert or update on worker for each row execute function sync_worker_columns();

create function sync_group_id() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    new.group_id := coalesce(new.group_id, new.work_id);
  else
    new.group_id := seine.renamed_value(new.group_id, new.work_id, old.group_id, old.work_id);
  end if;
  new.work_id := new.group_id;
  return new;
end $$;
create trigger sync_columns before insert or update on layout for each row execute function sync_group_id();
create trigger sync_columns before insert or update on projection for each row execute function sync_group_id();
