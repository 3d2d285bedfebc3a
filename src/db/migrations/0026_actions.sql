-- Crashes apart from failures, own idempotency keys, limits of concurrency and rate. See workflows/actions/action.ts.
-- The indexes of `action` are built by 0031.

alter table action
  add column crashes       integer not null default 0,     -- tries whose hold expired: the process died, or lost the action
  add column crashes_alone integer not null default 0,     -- those of them in which it ran alone in its process, since its last new checkpoint
  add column alone         boolean not null default false, -- the try under way began while no other action ran in its process
  add column idempotency_key text,                         -- if the workflow gave one
  add column limit_key     text;                           -- what its limits are counted by; null: nothing limits it

-- Token buckets of the rates. A bucket is full at full_at; one that is not there is full.
create table action_rate (
  workflow  text not null,
  name      text not null,
  limit_key text not null,
  full_at   timestamptz not null,
  primary key (workflow, name, limit_key)
) with (fillfactor = 50);

-- When a bucket is full again. None takes longer than from empty: one that seems to was written before the clock was set back, and counts as
-- full, or it would hold everything back until the clock has caught up.
create function bucket_full_at(full_at timestamptz, burst double precision, per_second double precision) returns timestamptz
  language sql stable as $$
  select case when full_at < clock() + (burst / per_second + 120) * interval '1 second' then greatest(full_at, clock()) else clock() end
$$;

-- How many more actions of a limit may begin now; null: any number. Null instead of a number means that it is not limited in this way.
-- A hold that has expired takes its place until it is recovered: its process may be alive, and renew it.
create function action_room(of_workflow text, of_name text, of_key text, concurrency integer, burst double precision, per_second double precision)
  returns double precision language sql stable as $$
  select least(
    concurrency - (select count(*) from action
                   where workflow = of_workflow and name = of_name and limit_key = of_key and state = 'running'),
    burst - (select ceil(per_second * extract(epoch from bucket_full_at(full_at, burst, per_second) - clock()) - 0.000001)
             from action_rate where workflow = of_workflow and name = of_name and limit_key = of_key),
    burst)
$$;
