/** SQL statements for the archive, one function each. The rules are described in archive.ts. */
import { many, type Queryable, type Tx } from '../../db/database.ts';
import type { Offset } from '../../events/offset.ts';
import { commandHash } from '../state/load-store.ts';

/** Condition on a row of `action`: its result is not needed for its explicit key, so that nothing is executed twice under one. */
export const NO_RESULT_OF_KEY = `(action.idempotency_key is null or action.state <> 'done' or exists (
  select from action later
  where later.workflow_key = action.workflow_key and later.name = action.name
    and later.idempotency_key = action.idempotency_key and later.state = 'done' and later.id > action.id))`;

/** Events of one workflow that are no longer needed. */
export interface ExpiredHistory {
  readonly key: number;
  readonly workflow: string;
  readonly id: string;
  /** Version of the last of them. */
  readonly upTo: number;
}

export interface ArchiveFilter {
  readonly tenant: string;
  readonly workflow: string;
  readonly olderThanMs: number;
  /** All readers have read up to here. */
  readonly read: Offset;
}

/** The smallest offset of the readers that have something left to read; null when all have read everything. */
export async function minLaggingOffset(db: Queryable, workflow: string): Promise<Offset | null> {
  const [row] = await many<{ xid: string; position: string }>(
    db,
    `select xid, position::text as position from reader_offset
     where workflow = $1 and consumer_lag(reader_offset, 1) > 0
     order by reader_offset.xid, reader_offset.position
     limit 1`,
    [workflow],
  );
  return row ? { xid: BigInt(row.xid), position: BigInt(row.position) } : null;
}

/** Workflows after `key` that ended long ago, with all of their events read and all reactions to them completed. */
export function endedWorkflows(
  db: Queryable,
  limits: ArchiveFilter,
  key: number,
  max: number,
): Promise<ExpiredHistory[]> {
  return many<ExpiredHistory>(
    db,
    `select key, name as workflow, id, workflow.version as "upTo"
     from workflow left join reaction on workflow_key = key
     where tenant = $1 and name = $2 and key > $3
       and status in ('completed', 'cancelled') and changed_at < clock() - $4 * interval '1 millisecond'
       -- One that was cancelled need not have been reacted to; one whose reaction failed never will be.
       and (status = 'cancelled' or reaction.version >= workflow.version or retry_at is not null or parked_at is not null)
       and exists (select from event where workflow_key = key)
       and not exists (select from event where workflow_key = key and (xid, position) > ($5::xid8, $6::bigint))
       and not exists (select from action where workflow_key = key and state = 'running')
       and not exists (
         select from message
         where message.tenant = $1 and message.workflow = $2 and message.workflow_id = workflow.id)
     order by key
     limit $7`,
    [...columns(limits, key), max],
  );
}

/** Open workflows after `key` that continued as new long ago: their state no longer depends on earlier events. */
export function continuedWorkflows(
  db: Queryable,
  limits: ArchiveFilter,
  key: number,
  max: number,
): Promise<ExpiredHistory[]> {
  return many<ExpiredHistory>(
    db,
    `select key, name as workflow, id, beginning.version - 1 as "upTo"
     from workflow join reaction on workflow_key = key
     cross join lateral (
       select version, at from event
       where workflow_key = key and type = 'workflow.continued'
       order by version desc
       limit 1) beginning
     where tenant = $1 and name = $2 and key > $3
       and status in ('running', 'paused') and beginning.at < clock() - $4 * interval '1 millisecond'
       and reaction.version >= beginning.version and parked_at is null
       and exists (select from event where workflow_key = key and event.version < beginning.version)
       and not exists (
         select from event
         where workflow_key = key and event.version <= beginning.version and (xid, position) > ($5::xid8, $6::bigint))
       and not exists (select from action where workflow_key = key and state in ('waiting', 'running'))
       and not exists (
         select from message -- a timer needs no event of the past
         where message.tenant = $1 and message.workflow = $2 and message.workflow_id = workflow.id and timer is null)
     order by key
     limit $7`,
    [...columns(limits, key), max],
  );
}

function columns({ tenant, workflow, olderThanMs, read }: ArchiveFilter, key: number): unknown[] {
  return [tenant, workflow, key, olderThanMs, String(read.xid), String(read.position)];
}

/** A line of the archive. */
export interface ArchivedEvent {
  readonly tenant: string;
  readonly workflow: string;
  readonly id: string;
  readonly version: number;
  readonly type: string;
  readonly schema: number;
  readonly data: unknown;
  readonly tags: readonly string[];
  readonly commandId: string | null;
  readonly at: Date;
}

export function expiredEvents(
  db: Queryable,
  { key, upTo }: ExpiredHistory,
  after: number,
  max: number,
): Promise<ArchivedEvent[]> {
  return many<ArchivedEvent>(
    db,
    `select workflow.tenant, workflow.name as workflow, workflow.id, event.version, event.type, event.schema, event.data, event.tags,
            event.command_id as "commandId", event.at
     from event join workflow on workflow.key = event.workflow_key
     where workflow_key = $1 and event.version > $2 and event.version <= $3
     order by event.version
     limit $4`,
    [key, after, upTo, max],
  );
}

export async function countExpiredEvents(db: Queryable, { key, upTo }: ExpiredHistory): Promise<number> {
  const [row] = await many<{ n: number }>(
    db,
    'select count(*) as n from event where workflow_key = $1 and version <= $2',
    [key, upTo],
  );
  return row!.n;
}

/**
 * Also deletes the snapshots of these events, and the actions they asked for with inputs and results. The ids of their commands are kept, so that a
 * repeated command has no second effect. While its workflow is open, an action is kept if its dead letter is open, so that it can be retried, or if
 * its result may be requested again by its explicit key.
 */
export async function deleteEvents(tx: Tx, key: number, upTo: number): Promise<number> {
  await keepCommandIds(tx, [key]);
  const { rowCount } = await tx.query(
    `with gone as (
       delete from event where workflow_key = $1 and version <= $2
       returning workflow_key, command_id, at),
     kept as (
       insert into handled_command (workflow_key, command, at)
       select workflow_key, ${commandHash('command_id')}, at from gone where command_id is not null
       on conflict do nothing)
     select from gone`,
    [key, upTo],
  );
  await tx.query('delete from snapshot where workflow_key = $1 and version <= $2', [key, upTo]);
  await tx.query(
    `with old as (
       select id from action
       where workflow_key = $1 and version <= $2 and state in ('done', 'failed', 'cancelled')
         and (exists (select from workflow where key = $1 and status in ('completed', 'cancelled'))
           or (not exists (select from dead_letter where action_id = action.id and dead_letter.state <> 'resolved')
             and ${NO_RESULT_OF_KEY}))
       order by id
       for update)
     delete from action using old where action.id = old.id`,
    [key, upTo],
  );
  return rowCount;
}

/** Marks the workflows so that repeated commands are checked against the kept ids. Locks them before their actions, as everywhere. */
export async function keepCommandIds(tx: Tx, keys: readonly number[]): Promise<void> {
  await tx.query(
    `with locked as (select key from workflow where key = any($1::bigint[]) order by key for no key update)
     update workflow set command_ids_kept = true from locked where workflow.key = locked.key and not command_ids_kept`,
    [keys],
  );
}

/** Deletes old ids of commands whose events are deleted. Returns the number deleted: `max` means there may be more. */
export async function deleteOldCommandIds(db: Queryable, olderThanMs: number, max = 5000): Promise<number> {
  const { rowCount } = await db.query(
    `with old as (
       select workflow_key, command from handled_command
       where at < clock() - $1 * interval '1 millisecond'
       order by at
       limit $2
       for update skip locked)
     delete from handled_command using old
     where handled_command.workflow_key = old.workflow_key and handled_command.command = old.command`,
    [olderThanMs, max],
  );
  return rowCount;
}

/** All workflow types, by a skip scan of the index, independent of the number of workflows. */
export function listWorkflowTypes(db: Queryable, tenant: string): Promise<{ name: string }[]> {
  return many(
    db,
    `with recursive kind as (
       (select name from workflow where tenant = $1 order by name limit 1)
       union all
       select (select workflow.name from workflow where tenant = $1 and workflow.name > kind.name order by name limit 1)
       from kind where kind.name is not null)
     select name from kind where name is not null`,
    [tenant],
  );
}
