/**
 * What must hold at every moment, watched by the database itself while leases change. What is noted in a transaction that is
 * rolled back is forgotten with it.
 */
import type { Connection } from './connection.ts';

export async function observeLeases(watch: Connection): Promise<void> {
  await watch.run(`
    create table violation (what text not null);
    -- Expired, not yet taken, and renewed by its holder: for a while one more is held than the cap allows.
    create table resurrected (lease_id bigint not null);

    -- Holders that were notified of a pause, and their reservation at that time.
    create table told (lease_id bigint not null, fencing_token bigint not null, reserved_up_to bytea not null);

    create function is_retry(lease bigint) returns boolean language sql stable as $$
      select exists (select 1 from shard where lease_id = lease and kind = 'retry') $$;

    create function held_of_quota(wanted text) returns bigint language sql volatile as $$
      select count(*) from range_lease as lease join lease_group on lease_group.id = lease.group_id
      where lease_group.quota = wanted and lease.state = 'held' and lease.expires_at >= (select latest_clock()) $$;

    create function held_besides(one bigint, of_tenant text, of_work bigint) returns bigint language sql volatile as $$
      select count(*) from range_lease as lease join lease_group on lease_group.id = lease.group_id
      where lease.id <> one and lease.state = 'held' and lease.expires_at >= clock() and lease_group.kind = 'shard'
        and (of_tenant is null or lease_group.tenant = of_tenant) and (of_work is null or lease_group.id = of_work) $$;

    create function observe_lease() returns trigger language plpgsql as $$
    declare
      owner lease_group;
      claimed boolean := new.fencing_token > old.fencing_token and new.state = 'held'; -- else it was recalled by a resume
    begin
      if new is not distinct from old or new.split_lock_until is distinct from old.split_lock_until then
        return null; -- a split lock was acquired or released, which changes nothing
      end if;
      if new.fencing_token < old.fencing_token or new.checkpoint_seq < old.checkpoint_seq or new.cursor < old.cursor then
        insert into violation values ('a lease went back');
      end if;
      if new.up_to is distinct from old.up_to and (new.up_to > old.up_to or new.up_to is null) then
        insert into violation values ('a lease grew');
      end if;
      if new.up_to < new.reserved_up_to and new.up_to is distinct from old.up_to then
        insert into violation values ('a lease was cut within what its holder had reserved');
      end if;
      if old.state in ('done', 'cancelled') then
        insert into violation values ('a lease changed after its end: ' || old.state);
      end if;
      if new.state = 'done' and new.cursor > new.up_to then
        insert into violation values ('a lease went beyond its end');
      end if;
      if claimed and old.state = 'held' and old.expires_at >= clock() then
        insert into violation values ('a lease was taken before it expired');
      end if;
      if claimed and old.state = 'waiting' and old.not_before > clock() then
        insert into violation values ('a lease was claimed before its time');
      end if;
      if old.state = 'held' and new.fencing_token = old.fencing_token and old.holder::text <> current_setting('seine.actor', true)
        and new.state <> 'cancelled' -- by a person
        and new.up_to is not distinct from old.up_to -- split by a work stealer
        and new.expires_at >= clock() is distinct from false then -- taken for dead
        insert into violation values ('a lease was changed by a worker that did not hold it');
      end if;
      if new.state = 'held' then
        select * into owner from lease_group where id = new.group_id;
        if claimed and exists (
          select 1 from range_lease as lease join lease_group on lease_group.id = lease.group_id
          where lease_group.kind = owner.kind and lease_group.priority > owner.priority and lease_group.remaining > 0 and not lease_group.paused
            and (lease.state = 'waiting' and lease.not_before <= clock() or lease.state = 'held' and lease.expires_at < clock())
          for update of lease skip locked) then
          insert into violation values ('a shard was claimed though another is more urgent');
        end if;
        if claimed and exists (
          select 1 from range_lease as lease join lease_group on lease_group.id = lease.group_id
          where lease_group.kind = owner.kind and lease_group.id <> owner.id and lease_group.priority = owner.priority and not lease_group.paused
            and (lease.state = 'waiting' and lease.not_before <= clock() or lease.state = 'held' and lease.expires_at < clock())
            and (held_besides(new.id, lease_group.tenant, null), held_besides(new.id, null, lease_group.id))
              < (held_besides(new.id, owner.tenant, null), held_besides(new.id, null, owner.id))
          for update of lease skip locked) then
          insert into violation values ('a shard was claimed though others have fewer');
        end if;
        if new.checkpoint_seq > old.checkpoint_seq then
          if not owner.paused then
            delete from told where lease_id = new.id;
          elsif exists (select 1 from told where lease_id = new.id and fencing_token = new.fencing_token and reserved_up_to < new.cursor) then
            insert into violation values ('a shard continued after its holder was notified of a pause');
          else
            insert into told values (new.id, new.fencing_token, new.reserved_up_to);
          end if;
        end if;
        if claimed and owner.paused then
          insert into violation values ('a shard was claimed while its scan was paused');
        end if;
        if owner.cancelled > 0 and not is_retry(new.id) then
          insert into violation values ('a shard went on after its scan was cancelled');
        end if;
        if not claimed and old.expires_at < latest_clock() then
          insert into resurrected values (new.id);
        end if;
        if owner.max_concurrency < held_of_quota(owner.quota) and not exists (select 1 from resurrected) then
          insert into violation values ('more shards are held than the cap allows');
        end if;
      end if;
      return null;
    end $$;
    create trigger observe_lease after update on range_lease for each row execute function observe_lease()`);
}
