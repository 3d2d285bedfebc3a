/** What must hold at every moment, watched by the database itself while readers move and reactions are written down. */
import type { Connection } from '../connection.ts';

export async function observeReaders(watch: Connection): Promise<void> {
  await watch.run(`
    create table violation (what text not null);

    create function observe_lease() returns trigger language plpgsql as $$
    begin
      if new.fencing_token < old.fencing_token or new.checkpoint_seq < old.checkpoint_seq or new.cursor < old.cursor then
        insert into violation values ('a reader went back');
      end if;
      if old.state = 'cancelled' then
        insert into violation values ('a reader of a layout that is gone went on');
      end if;
      if new.fencing_token > old.fencing_token and new.state = 'held' and old.state = 'held' and old.expires_at >= clock() then
        insert into violation values ('a part was taken before it expired');
      end if;
      if new.checkpoint_seq > old.checkpoint_seq and old.holder::text is distinct from current_setting('seine.actor', true) then
        insert into violation values ('a partition was moved by a runner that did not hold it');
      end if;
      return null;
    end $$;
    create trigger observe_lease after update on range_lease for each row
      when ((old.fencing_token, old.checkpoint_seq, old.cursor, old.state) is distinct from (new.fencing_token, new.checkpoint_seq, new.cursor, new.state))
      execute function observe_lease();

    -- Who holds the part that a workflow belongs to.
    create function holder_of(wanted bigint) returns text language sql volatile as $$
      select lease.holder::text
      from workflow join reader on reader.workflow = workflow.name and reader.retired_at is null
        and reader.part = mod(workflow.hash, reader.total)
      join range_lease as lease on lease.id = reader.lease_id
      where workflow.key = wanted $$;

    create function observe_reaction() returns trigger language plpgsql as $$
    begin
      if tg_op = 'UPDATE' and new.version < old.version then
        insert into violation values ('the reactions to a workflow went back');
      end if;
      if (tg_op = 'INSERT' and new.version > 0
          or tg_op = 'UPDATE' and (new.version > old.version or new.retry_at is null and old.retry_at is not null))
        and holder_of(new.workflow_key) is distinct from current_setting('seine.actor', true) then
        insert into violation values ('a runner reacted that did not hold the partition');
      end if;
      return null;
    end $$;
    create trigger observe_reaction after insert or update on reaction for each row execute function observe_reaction()`);
}
