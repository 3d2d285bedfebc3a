/**
 * Deleting events while projections begin. What all readers have read is computed once for many workflows; a projection that begins or is rebuilt
 * afterwards needs the same events again. So each transaction that deletes checks that no projection needs them, under a shared lock. A transaction
 * that resets a reader takes the lock exclusively: it then sees what was deleted, and the next deletion sees its reader.
 *
 * Lock order: this lock, then workflows, then everything else.
 */
import { many, type Tx } from '../../db/database.ts';

/** Taken before a transaction deletes events. */
export async function lockForDeletion(tx: Tx): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock_shared(hashtextextended('deletion of events', 0))`);
}

/** Excludes deletions until the transaction ends, so that missing events can be counted before a reader is reset to the start. */
export async function lockAgainstDeletion(tx: Tx): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('deletion of events', 0))`);
}

/** The events of a workflow up to a version. */
export interface First {
  readonly key: number;
  readonly version: number;
}

/**
 * The workflows with events here that a projection has not read. Checking the last event suffices: events of one workflow are applied in the order of
 * their versions. Only projections are checked: other readers are never reset to before an event that was reacted to.
 */
export async function neededByProjections(tx: Tx, firsts: readonly First[]): Promise<Set<number>> {
  const rows = await many<{ key: number }>(
    tx,
    `select last.workflow_key as key
     from unnest($1::bigint[], $2::bigint[]) as first(key, version)
     cross join lateral (
       select workflow_key, workflow, xid, position from event
       where workflow_key = first.key and event.version <= first.version
       order by event.version desc
       limit 1) last
     where exists (
       select from projection join range_lease as lease on lease.id = projection.lease_id
       where last.workflow = any(projection.workflows)
         and lease.cursor < decode(lpad(to_hex(last.xid::text::bigint), 16, '0') || lpad(to_hex(last.position), 16, '0'), 'hex'))`,
    [firsts.map(({ key }) => key), firsts.map(({ version }) => version)],
  );
  return new Set(rows.map(({ key }) => key));
}
