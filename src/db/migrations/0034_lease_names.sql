-- Tables and columns of leases under standard names. A table with a new name leaves a view under the old one, with the old columns in the old
-- order: processes of the previous version go on with their statements. Such a view is simple, so PostgreSQL applies INSERT, UPDATE, DELETE,
-- ON CONFLICT and FOR UPDATE to the table below it, with its indexes. No row is written, and each lock is held for moments. The views go
-- with a later version; nothing of this one may use them. Constraints and indexes that are named after their table are renamed in 0038.
-- Leases are locked before their group, as everywhere.

alter table lease rename to range_lease;
alter table range_lease rename column work_id to group_id;
alter table range_lease rename column reserved to reserved_up_to;
alter table range_lease rename column token to fencing_token;
alter table range_lease rename column step to checkpoint_seq;
alter table range_lease rename column attempts to claims_since_progress;
alter table range_lease rename column failures to errors_since_progress;
alter table range_lease rename column moved_at to cursor_moved_at;
alter table range_lease rename column fixed to no_split;
alter table range_lease rename column looked_at_until to split_lock_until;
create view lease as select
  id, tenant, group_id as work_id, after_key, up_to, cursor, reserved_up_to as reserved, state,
  fencing_token as token, checkpoint_seq as step, claims_since_progress as attempts, holder, expires_at,
  not_before, error, parent, errors_since_progress as failures, claimed_at, cursor_moved_at as moved_at,
  no_split as fixed, split_lock_until as looked_at_until, claim_id, renewed_at, crashed
from range_lease;

alter table work rename to lease_group;
alter table lease_group rename column place to host_affinity;
alter table lease_group rename column cap to max_concurrency;
create view work as select
  id, tenant, kind, paused, priority, remaining, failed, host_affinity as place, quota, max_concurrency as cap,
  cancelled, requires
from lease_group;

alter table held_count rename to held_lease_count;
alter table held_lease_count rename column work_id to group_id;
create view held_count as select
  group_id as work_id, held
from held_lease_count;

alter table split_hint rename to lease_split_hint;
alter table lease_split_hint rename column expected to estimated_keys;
alter table lease_split_hint rename column knowns to counted_ranges;
alter table lease_split_hint rename column slack to count_error;
alter table lease_split_hint rename column failures to probes_since_split;
create view split_hint as select
  lease_id, tenant, estimated_keys as expected, exact, counted_ranges as knowns, page,
  probes_since_split as failures, count_error as slack
from lease_split_hint;

alter table budget rename to lease_group_budget;
alter table lease_group_budget rename column work_id to group_id;
alter table lease_group_budget rename column seen_at to last_active_at;
alter table lease_group_budget rename column spent to exhausted_limit;
create view budget as select
  group_id as work_id, tenant, max_requests, max_bytes, max_cost, max_seconds, currency, requests, bytes, cost,
  seconds, last_active_at as seen_at, exhausted_limit as spent
from lease_group_budget;

alter table bucket rename to token_bucket;
alter table token_bucket rename column free_at to theoretical_arrival_at;
alter table token_bucket rename column cut_at to decreased_at;
create view bucket as select
  quota, theoretical_arrival_at as free_at, rate, decreased_at as cut_at, paused_until
from token_bucket;

-- Whether no worker is probing where to split the lease. Probes last seconds: a lock that lasts longer was taken before the clock was set back.
create function split_lock_expired(split_lock_until timestamptz) returns boolean language sql volatile as
  $$ select split_lock_until is null or split_lock_until < clock() or split_lock_until > wall_clock() + interval '2 minutes' $$;

comment on function look_ended is 'Of the previous version: split_lock_expired';
comment on column range_lease.checkpoint_seq is 'grows with every checkpoint, so a repeated one is recognized';
comment on column range_lease.fencing_token is 'grows with every claim; writes with an older one are rejected';
comment on column range_lease.reserved_up_to is 'the holder may be busy up to here; a split lies beyond';
comment on column range_lease.claims_since_progress is 'claims since the cursor last moved';
comment on column range_lease.errors_since_progress is 'runs that threw since the cursor last moved; crashes do not count';
comment on column range_lease.no_split is 'its range is not a range of the listing';
comment on column lease_group.host_affinity is 'null: any worker; else only those on the host that has the folder';
comment on column lease_group.max_concurrency is 'leases of one quota held at once, at most';
comment on column lease_split_hint.counted_ranges is 'ranges whose number of keys is known';
comment on column lease_split_hint.count_error is 'so many keys more or fewer may be in the range';
comment on column lease_split_hint.probes_since_split is 'probes that led to no split';
comment on column token_bucket.theoretical_arrival_at is 'GCRA: tokens are given away up to here';
comment on column token_bucket.decreased_at is 'when the rate was last decreased; it recovers from there';
comment on column lease_group_budget.exhausted_limit is 'the limit that was met; stays until it is raised';

-- Grants on the tables hold for the views, too.
create function copy_grants(from_table regclass, to_view regclass) returns void language plpgsql as $$
declare
  entry record;
begin
  for entry in
    select case when acl.grantee = 0 then 'public' else acl.grantee::regrole::text end as grantee, acl.privilege_type as privilege
    from pg_class, aclexplode(relacl) as acl
    where pg_class.oid = from_table and acl.privilege_type in ('SELECT', 'INSERT', 'UPDATE', 'DELETE') and acl.grantee <> relowner
  loop
    execute format('grant %s on %s to %s', entry.privilege, to_view, entry.grantee);
  end loop;
end $$;
select copy_grants('range_lease', 'lease'),
       copy_grants('lease_group', 'work'),
       copy_grants('held_lease_count', 'held_count'),
       copy_grants('lease_split_hint', 'split_hint'),
       copy_grants('lease_group_budget', 'budget'),
       copy_grants('token_bucket', 'bucket');
