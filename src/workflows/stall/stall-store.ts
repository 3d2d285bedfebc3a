/** SQL statements for stall.ts: the transaction that blocks the readable end of the log, and whether events wait for it. */
import { many, type Queryable } from '../../db/database.ts';

/** The oldest transaction in progress in any database of the server. */
export interface OldestTransaction {
  readonly xid: string;
  /** Null: it is a prepared transaction. */
  readonly pid: number | null;
  /** Null: it belongs to a connection. */
  readonly gid: string | null;
  readonly user: string | null;
  readonly database: string | null;
  readonly application: string | null;
  readonly client: string | null;
  /** Since it began; null: not known. */
  readonly seconds: number | null;
  readonly state: string | null;
  /** Its last statement; as PostgreSQL reports it, it contains values. */
  readonly query: string | null;
  /** The role that may not see state and query; null: it may. */
  readonly hiddenFrom: string | null;
}

/**
 * A snapshot's xmin is the oldest transaction with a number that has not ended, in any database; replication slots and read-only transactions don't
 * count. Null when there is none.
 */
export async function oldestTransaction(db: Queryable): Promise<OldestTransaction | null> {
  const [row] = await many<OldestTransaction>(
    db,
    `with horizon as materialized (select pg_snapshot_xmin(pg_current_snapshot()) as xid)
     select horizon.xid::text as xid, activity.pid, null as gid, activity.usename as user, activity.datname as database,
            nullif(activity.application_name, '') as application, host(activity.client_addr) as client,
            extract(epoch from clock_timestamp() - activity.xact_start)::double precision as seconds,
            activity.state, activity.query,
            case when activity.query = '<insufficient privilege>' then current_user end as "hiddenFrom"
     from horizon join pg_stat_activity activity on activity.backend_xid = horizon.xid::xid
     union all
     select horizon.xid::text, null, prepared.gid, prepared.owner, prepared.database, null, null,
            extract(epoch from clock_timestamp() - prepared.prepared)::double precision, null, null, null
     from horizon join pg_prepared_xacts prepared on prepared.transaction = horizon.xid::xid
     limit 1`,
  );
  return row ?? null;
}

/**
 * Of these workflows (null: all that have readers), those with events older than `forMs` that can't be read because of a transaction as old as `xid`.
 */
export async function heldBack(
  db: Queryable,
  workflows: readonly string[] | null,
  xid: string,
  forMs: number,
): Promise<{ readonly workflow: string; readonly seconds: number }[]> {
  return many(
    db,
    `select layout.workflow, max(extract(epoch from clock() - first.at))::double precision as seconds
     from layout
     cross join generate_series(0, 255) as slots(slot)
     cross join lateral (
       select event.at from event
       where event.workflow = layout.workflow and event.slot = slots.slot and event.xid >= $2::xid8
       order by event.xid, event.position
       limit 1) first
     where ($1::text[] is null or layout.workflow = any($1::text[])) and first.at < clock() - $3 * interval '1 millisecond'
     group by layout.workflow
     order by layout.workflow`,
    [workflows, xid, forMs],
  );
}
