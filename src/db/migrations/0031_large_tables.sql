-- outside a transaction
-- What 0026 to 0029 need of the tables `workflow` and `action`, which may be large and are written all the time.

-- The version that each workflow needs (0027), a thousand workflows at a time. Only those with events of newer versions are written.
do $$
declare
  after bigint := 0;
  up_to bigint;
begin
  loop
    select max(key) into up_to
    from (select key from seine.workflow where key > after order by key limit 1000) as page;
    exit when up_to is null;
    update seine.workflow set needs_version = behind.version
    from (
      select key, newer.version
      from seine.workflow
      join (
        select workflow_key, max(schema) as version from seine.event
        where workflow_key > after and workflow_key <= up_to and schema > 1
        group by workflow_key) as newer on newer.workflow_key = key
      where needs_version < newer.version
      order by key
      for no key update of workflow) as behind
    where workflow.key = behind.key;
    commit;
    after := up_to;
  end loop;
end $$;

-- Waiting actions are claimed in three ways. Those that a saturated limit may hold back stand in an index of their own, so that no other
-- claim reads past them. Processes of the previous version, which know no limits, find theirs without action_waiting, only slower.
create index concurrently if not exists action_unlimited on seine.action (workflow, due_at, id) where state = 'waiting' and limit_key is null;
create index concurrently if not exists action_limited on seine.action (workflow, name, limit_key, due_at, id) where state = 'waiting' and limit_key is not null;
create index concurrently if not exists action_suspect on seine.action (workflow, due_at, id) where state = 'waiting' and crashes >= 2;
drop index concurrently if exists seine.action_waiting;

-- The live holds of a limit, which are counted rather than kept as a number.
create index concurrently if not exists action_limited_running on seine.action (workflow, name, limit_key) where state = 'running' and limit_key is not null;

create index concurrently if not exists action_of_key on seine.action (workflow_key, name, idempotency_key) where idempotency_key is not null;

-- Ended workflows that can be purged (0029). None of its columns changes with an append, so an append touches no index, as before.
create index concurrently if not exists workflow_to_purge on seine.workflow (key) where status in ('completed', 'cancelled') and purged_at is null;
