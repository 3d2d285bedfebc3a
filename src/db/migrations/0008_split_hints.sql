-- What is known of a shard's range, left behind for whoever splits it next: see scans/planning/hint.ts. Beside the lease, so that
-- checkpoints don't write it again and again. json, not jsonb: a key may hold any byte.
create table split_hint (
  lease_id bigint primary key references lease on delete cascade,
  tenant   text not null,
  expected double precision,               -- keys of the whole range, by the last guess; null: nobody has looked
  exact    boolean not null default false, -- nothing of that is a guess
  knowns   json not null default '[]',     -- intervals of which the number of keys is known
  page     json,                           -- what the holder listed last
  failures integer not null default 0      -- looks since the last split
);
