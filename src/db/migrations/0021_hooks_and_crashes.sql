-- Hooks that wait are found without reading those that have ended; where they wait, and since when. Shards that end their worker.

alter table hook add column sent_at timestamptz; -- since when it waits to be run; null: written by an earlier version
create index hook_waiting on hook (scan_id) where state = 'waiting';

alter table worker add column sees_place text; -- whose folders it sees; null: an earlier version

-- Written before a shard is run that was claimed again and again without progress, removed by whoever leaves it alive: what is left
-- are runs whose process died. See scans/crashes.ts.
create table shard_run (
  lease_id bigint not null references lease on delete cascade,
  token    bigint not null,      -- of the claim
  holder   uuid not null,        -- the worker
  cursor   bytea not null,       -- where the shard stood: progress since makes the run worth nothing
  begun_at timestamptz not null,
  primary key (lease_id, token)
);
