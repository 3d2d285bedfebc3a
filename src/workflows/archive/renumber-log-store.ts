/** SQL statements for a log that came from another database cluster. The protocol is described in renumber-log.ts. */
import { many, one, type Queryable, type Tx } from '../../db/database.ts';

/** Whether the log, or a reader, has a transaction number that this cluster has not reached, which proves another origin. */
export async function isLogAhead(db: Queryable, workflows: readonly string[]): Promise<boolean> {
  const { ahead } = await one<{ ahead: boolean }>(
    db,
    `with kind as (select * from unnest($1::text[]) as k(workflow))
     select exists (
         select from kind cross join lateral (
           select xid from event where event.workflow = kind.workflow order by xid desc, position desc limit 1) last
         where last.xid >= pg_snapshot_xmax(pg_current_snapshot()))
       or exists (
         select from kind
         join reader on reader.workflow = kind.workflow and reader.retired_at is null
         join range_lease as lease on lease.id = reader.lease_id
         where substr(lease.cursor, 1, 8) >= decode(lpad(to_hex(pg_snapshot_xmax(pg_current_snapshot())::text::bigint), 16, '0'), 'hex'))
       as ahead`,
    [workflows],
  );
  return ahead;
}

/** Whether this cluster wrote the log. Each append and each read checks the same (`require_own_log`). */
export async function isOwnLog(db: Queryable): Promise<boolean> {
  return (await one<{ own: boolean }>(db, 'select is_own_log() as own')).own;
}

/** Makes this cluster the origin. The row is rewritten, so that its xmin is that of this transaction. */
export async function adoptLog(tx: Tx): Promise<void> {
  await tx.query('delete from log_origin');
  await tx.query('insert into log_origin default values');
}

/** The workflow types that have events, by a skip scan of the index. */
export async function typesInLog(db: Queryable): Promise<string[]> {
  const kinds = await many<{ workflow: string }>(
    db,
    `with recursive kind as (
       (select workflow from event order by workflow limit 1)
       union all
       select (select event.workflow from event where event.workflow > kind.workflow order by event.workflow limit 1)
       from kind where kind.workflow is not null)
     select workflow from kind where workflow is not null`,
  );
  return kinds.map(({ workflow }) => workflow);
}

/** Excludes appends, reads and takeovers until the transaction ends. */
export async function lockLog(tx: Tx): Promise<void> {
  await tx.query('lock table layout, event in exclusive mode');
}

export interface LogReader {
  readonly workflow: string;
  readonly host: string | null;
  readonly pid: number | null;
}

/** The holders of partitions of any workflow. Their leases are locked, so that none is claimed meanwhile. */
export async function lockReaders(tx: Tx): Promise<LogReader[]> {
  await tx.query(
    `select from range_lease as lease join reader on reader.lease_id = lease.id and reader.retired_at is null
     order by lease.id
     for no key update of lease`,
  );
  return many<LogReader>(
    tx,
    `select distinct reader.workflow, split_part(worker.host, '/', 1) as host, worker.pid
     from reader join range_lease as lease on lease.id = reader.lease_id
     left join worker on worker.id = lease.holder
     where reader.retired_at is null and lease.state = 'held' and lease.expires_at >= clock()`,
  );
}

/** Projections restart at the beginning: events already applied are skipped by their version. */
export async function resetProjectionOffsets(tx: Tx): Promise<number> {
  const { rowCount } = await tx.query(
    `update range_lease as lease
     set cursor = '', reserved_up_to = '', after_key = '', fencing_token = fencing_token + 1, checkpoint_seq = 0, claims_since_progress = 0, cursor_moved_at = clock(),
         state = 'waiting', holder = null, expires_at = null
     from projection
     where projection.lease_id = lease.id`,
  );
  return rowCount;
}

/** Renumbers all events below every transaction of this cluster, in the order of their positions. */
export async function renumberEvents(tx: Tx): Promise<number> {
  const { rowCount } = await tx.query(`update event set xid = '3' where xid <> '3'`);
  await tx.query(
    `select setval(pg_get_serial_sequence('event', 'position'), greatest(max(position), 1)) from event having max(position) is not null`,
  );
  return rowCount;
}

/**
 * Each reader continues before the first event of its workflow that was not reacted to. Repeated events have no effect: the progress of reactions is
 * stored per workflow, not in the offset.
 */
export async function resetReaderOffsets(tx: Tx): Promise<number> {
  const { rowCount } = await tx.query(
    `with next as (
       select layout.workflow, coalesce(
           (select min(event.position) - 1 from event left join reaction using (workflow_key)
            where event.workflow = layout.workflow and event.version > coalesce(reaction.version, 0)),
           (select max(event.position) from event where event.workflow = layout.workflow)) as position
       from layout)
     update range_lease as lease
     set cursor = place.bytes, reserved_up_to = place.bytes, after_key = '', fencing_token = fencing_token + 1, checkpoint_seq = 0, claims_since_progress = 0, cursor_moved_at = clock(),
         state = 'waiting', holder = null, expires_at = null
     from reader join next on next.workflow = reader.workflow
     cross join lateral (
       select case when next.position is null then ''::bytea
                   else decode(lpad('3', 16, '0') || lpad(to_hex(next.position), 16, '0'), 'hex') end as bytes) place
     where reader.lease_id = lease.id and reader.retired_at is null`,
  );
  return rowCount;
}
