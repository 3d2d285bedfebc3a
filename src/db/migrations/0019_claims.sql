-- Claims that survive lost commits, wrong clocks and many thousand held leases. See engine/leases/lease.ts and claim-store.ts.

alter table lease
  add column claim_id   uuid,        -- drawn at random by every claim: tells two claims with the same token apart
  add column renewed_at timestamptz; -- when expires_at was last set: in the future only if the server's clock went back

-- The time of this moment. clock() is the start of the transaction: for whoever waited in one, what others wrote meanwhile lies in the
-- future, although no clock was set back.
create function wall_clock() returns timestamptz language sql volatile as 'select clock_timestamp()';

-- A lease has expired at expires_at, or when the clock was set back by more than two minutes since its last renewal: otherwise the leases of
-- dead workers could not be claimed until the clock has caught up.
create function lease_expired(expires_at timestamptz, renewed_at timestamptz) returns boolean language sql volatile as
  $$ select expires_at < clock() or coalesce(renewed_at > wall_clock() + interval '2 minutes', false) $$;

-- Whether something that is written again and again was written lately. Not if it lies in the future: then the clock was set back.
create function is_recent(at timestamptz, ms double precision) returns boolean language sql volatile as
  $$ select at between clock() - ms * interval '1 millisecond' and wall_clock() + ms * interval '1 millisecond' $$;

-- Whether nobody looks where to split the lease. Looks last seconds: one that lasts longer was noted before the clock was set back.
create function look_ended(looked_at_until timestamptz) returns boolean language sql volatile as
  $$ select looked_at_until is null or looked_at_until < clock() or looked_at_until > wall_clock() + interval '2 minutes' $$;

alter table work
  add column requires text;          -- null: any worker; else only those that offer this: the check value of a fingerprint key

update work set requires = 'key:' || setting.value
from setting
where work.kind = 'shard'
  and setting.tenant = work.tenant and setting.name = 'fingerprint key check';

-- By its hash: the quota of a folder is its path, which may be longer than an index entry.
create index work_of_quota on work (hashtextextended(quota, 0)) where remaining > 0 and quota is not null;

-- With many held leases claims do not count them; one claimer counts them about once a second for all. See recount-store.ts.
create table claim_load (
  kind         text primary key,
  crowded      boolean not null,
  counted_at   timestamptz not null,
  requeue_from timestamptz not null -- until then expired leases are left to their holders
);
create table held_count (
  work_id bigint primary key references work on delete cascade,
  held    integer not null
);

-- Which rules and versions a block of the inventory was written under: a worker of another version must not speak for this one.
-- Scans that were started before this column existed have blocks without it, and all of them count.
alter table inventory add column inventory_key text;
alter table part_result add column inventory_key text;
alter table scan
  add column blocks_have_keys boolean not null default false,
  add column mixed_versions   boolean not null default false; -- workers of another version took part: the next scan reads their objects again
