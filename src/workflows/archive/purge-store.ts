/** SQL statements for the purge of ended workflows, one function each. The rules are described in purge.ts. */
import { many, type Queryable, type Tx } from '../../db/database.ts';
import type { Offset } from '../../events/offset.ts';
import { commandHash } from '../state/load-store.ts';
import type { ArchivedEvent } from './archive-store.ts';

/** Per workflow type, the offset up to which all of its readers have read. */
export interface ReadPosition {
  readonly workflow: string;
  readonly read: Offset;
}

export interface PurgeFilter {
  /** Null: all tenants. */
  readonly tenant: string | null;
  readonly olderThanMs: number;
  readonly kinds: readonly ReadPosition[];
}

/**
 * Checks the next `max` unpurged ended workflows after `key`, and returns which of them may be purged. `last` is the key to continue after; null:
 * there are no more.
 */
export async function purgeable(
  db: Queryable,
  { tenant, olderThanMs, kinds }: PurgeFilter,
  key: number,
  max: number,
): Promise<{ readonly keys: number[]; readonly last: number | null }> {
  const rows = await many<{ key: number; mayGo: boolean }>(
    db,
    `with page as materialized (
       select key, tenant, name, id, version, status, changed_at from workflow
       where key > $1 and status in ('completed', 'cancelled') and purged_at is null
       order by key
       limit $2)
     select page.key,
            kind.name is not null and ($3::text is null or page.tenant = $3) and changed_at < clock() - $4 * interval '1 millisecond'
            and (page.status = 'cancelled' or exists (
              select from reaction
              where workflow_key = page.key
                and (reaction.version >= page.version or retry_at is not null or parked_at is not null)))
            and not exists (
              select from event where workflow_key = page.key and (event.xid, event.position) > (kind.xid, kind.position))
            and not exists (select from action where workflow_key = page.key and state in ('waiting', 'running'))
            and not exists (
              select from message
              where message.tenant = page.tenant and message.workflow = page.name and message.workflow_id = page.id) as "mayGo"
     from page
     left join unnest($5::text[], $6::xid8[], $7::bigint[]) as kind(name, xid, position) on kind.name = page.name
     order by page.key`,
    [
      key,
      max,
      tenant,
      olderThanMs,
      kinds.map(({ workflow }) => workflow),
      kinds.map(({ read }) => String(read.xid)),
      kinds.map(({ read }) => String(read.position)),
    ],
  );
  const keys = rows.filter(({ mayGo }) => mayGo).map((row) => row.key);
  return { keys, last: rows.length < max ? null : rows.at(-1)!.key };
}

/** Those not purged by another process meanwhile, locked before their actions, as everywhere. */
export async function lockUnpurged(tx: Tx, keys: readonly number[]): Promise<number[]> {
  const rows = await many<{ key: number }>(
    tx,
    `select key from workflow
     where key = any($1::bigint[]) and status in ('completed', 'cancelled') and purged_at is null
     order by key
     for no key update`,
    [keys],
  );
  return rows.map(({ key }) => key);
}

export interface LastEvent {
  readonly key: number;
  readonly version: number;
}

/** The first remaining events of these workflows, as lines of the archive. */
export async function firstEvents(
  db: Queryable,
  keys: readonly number[],
  max: number,
): Promise<{ readonly events: ArchivedEvent[]; readonly last: LastEvent | null }> {
  const rows = await many<ArchivedEvent & { key: number }>(
    db,
    `select workflow.key, workflow.tenant, workflow.name as workflow, workflow.id, event.version, event.type, event.schema, event.data,
            event.tags, event.command_id as "commandId", event.at
     from event join workflow on workflow.key = event.workflow_key
     where workflow_key = any($1::bigint[])
     order by workflow_key, event.version
     limit $2`,
    [keys, max],
  );
  const end = rows.at(-1);
  return {
    events: rows.map(({ key: _, ...event }) => event),
    last: end ? { key: end.key, version: end.version } : null,
  };
}

/** Deletes the first of their events, up to `upTo`; the ids of their commands are kept. */
export async function deleteFirstEvents(
  tx: Tx,
  keys: readonly number[],
  upTo: LastEvent,
  max: number,
): Promise<number> {
  const { rowCount } = await tx.query(
    `with page as (
       select workflow_key, version from event
       where workflow_key = any($1::bigint[]) and (workflow_key, version) <= ($2::bigint, $3::bigint)
       order by workflow_key, version
       limit $4),
     gone as (
       delete from event using page
       where event.workflow_key = page.workflow_key and event.version = page.version
       returning event.workflow_key, event.command_id, event.at),
     kept as (
       insert into handled_command (workflow_key, command, at)
       select workflow_key, ${commandHash('command_id')}, at from gone where command_id is not null
       on conflict do nothing)
     select from gone`,
    [keys, upTo.key, upTo.version, max],
  );
  return rowCount;
}

/** Deletes actions with their inputs, results, checkpoints and dead letters. */
export async function deleteActions(tx: Tx, keys: readonly number[], max: number): Promise<number> {
  const { rowCount } = await tx.query(
    `with page as (
       select id from action
       where workflow_key = any($1::bigint[])
       order by id
       limit $2
       for update)
     delete from action using page where action.id = page.id`,
    [keys, max],
  );
  return rowCount;
}

/** Deletes the remaining rows of workflows whose events and actions are deleted, and marks them as purged. */
export async function markPurged(tx: Tx, keys: readonly number[]): Promise<void> {
  await tx.query('delete from snapshot where workflow_key = any($1::bigint[])', [keys]);
  await tx.query('delete from reaction where workflow_key = any($1::bigint[])', [keys]);
  await tx.query(
    `delete from rejected_message using workflow
     where workflow.key = any($1::bigint[]) and rejected_message.tenant = workflow.tenant
       and rejected_message.workflow = workflow.name and rejected_message.workflow_id = workflow.id`,
    [keys],
  );
  await tx.query('delete from workflow_attribute where workflow_key = any($1::bigint[])', [keys]);
  await tx.query('delete from projection_progress where workflow_key = any($1::bigint[])', [keys]);
  await tx.query('delete from child where parent_key = any($1::bigint[]) and told_at is not null', [keys]);
  await tx.query(
    `update child set result = null, error = null from workflow
     where workflow.key = any($1::bigint[]) and child.tenant = workflow.tenant and child.workflow = workflow.name
       and child.workflow_id = workflow.id and told_at is not null`,
    [keys],
  );
  await tx.query(
    `update workflow
     set purged_at = clock(), result = null, failure = case when failure is not null then 'Its error was purged.' end
     where key = any($1::bigint[])`,
    [keys],
  );
}

export async function countRows(
  db: Queryable,
  keys: readonly number[],
): Promise<{ readonly events: number; readonly actions: number }> {
  const [row] = await many<{ events: number; actions: number }>(
    db,
    `select (select count(*) from event where workflow_key = any($1::bigint[])) as events,
            (select count(*) from action where workflow_key = any($1::bigint[])) as actions`,
    [keys],
  );
  return row!;
}

/**
 * The workflow types that have readers; no events of the others have been read. Excludes scans: their events are deleted with the scan, even if a
 * runner reads them (`retention.finished_scans`).
 */
export function typesWithReaders(db: Queryable): Promise<{ workflow: string }[]> {
  return many(db, `select workflow from layout where workflow <> 'scan' order by workflow`);
}
