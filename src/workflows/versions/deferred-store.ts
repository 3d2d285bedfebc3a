/** SQL statements for workflows whose reactions wait for newer code than that of the runner that read their events. See newer-version.ts. */
import { many, type Queryable, type Tx } from '../../db/database.ts';
import type { AnyWorkflow } from '../define.ts';
import type { AssignedPartitions } from '../messages/message-store.ts';
import type { DueReaction } from '../reactions/reaction-store.ts';

export interface Deferred {
  readonly key: number;
  readonly part: number;
  readonly needsVersion: number;
}

/** In the transaction that moves the offset past their events. */
export async function deferReactions(tx: Tx, deferred: readonly Deferred[]): Promise<void> {
  await tx.query(
    `insert into deferred_reaction (workflow_key, workflow, hash, needs_version)
     select key, name, hash, d.needs_version
     from unnest($1::bigint[], $2::smallint[]) as d(key, needs_version) join workflow using (key)
     order by key
     on conflict (workflow_key) do update set needs_version = excluded.needs_version
     where deferred_reaction.needs_version < excluded.needs_version`,
    [deferred.map(({ key }) => key), deferred.map(({ needsVersion }) => needsVersion)],
    'defer_reactions',
  );
}

/** The workflows of these partitions that this version may react to. The longest deferred come first. */
export async function deferredReactions(
  db: Queryable,
  { name, version }: Pick<AnyWorkflow, 'name' | 'version'>,
  assigned: AssignedPartitions,
  max: number,
): Promise<DueReaction[]> {
  const { rows } = await db.query<DueReaction>(
    `select key, tenant, id, mod(workflow.hash, $3)::integer as part, coalesce(reaction.version, 0) as reacted,
            coalesce(reaction.attempts, 0) as attempts, status <> 'running' as ended, workflow.needs_version as "needsVersion"
     from deferred_reaction deferred
     join workflow on key = deferred.workflow_key
     left join reaction on reaction.workflow_key = key
     where deferred.workflow = $1 and deferred.needs_version <= $5 and mod(deferred.hash, $3) = any($2::integer[])
       and workflow.needs_version <= $5 and status <> 'paused'
       and parked_at is null and (retry_at is null or retry_at <= clock())
     order by since, key
     limit $4`,
    [name, assigned.parts, assigned.total, max, version],
    'deferred_reactions',
  );
  return rows;
}

/** In the transaction of their reactions. */
export async function clearDeferred(tx: Tx, keys: readonly number[]): Promise<void> {
  await tx.query('delete from deferred_reaction where workflow_key = any($1::bigint[])', [keys]);
}

/** Partitions, and the highest version that a workflow of theirs needs. */
export type PartitionVersions = ReadonlyMap<number, number>;

/** Returns the number of partitions that need a higher version than was recorded. */
export async function raisePartitionVersions(
  db: Queryable,
  workflow: string,
  needs: PartitionVersions,
): Promise<number> {
  const { rowCount } = await db.query(
    `update reader set needs_version = n.needs_version
     from unnest($2::integer[], $3::smallint[]) as n(part, needs_version)
     where reader.workflow = $1 and reader.retired_at is null and reader.part = n.part
       and reader.needs_version < n.needs_version`,
    [workflow, [...needs.keys()], [...needs.values()]],
  );
  return rowCount;
}

/** Only partitions that need more than version 1. Workflows deferred under an earlier partitioning count too. */
export async function readPartitionVersions(
  db: Queryable,
  workflow: string,
  total: number,
): Promise<PartitionVersions> {
  const rows = await many<{ part: number; needs: number }>(
    db,
    `select part, max(needs_version) as needs
     from (
       select part, needs_version from reader where workflow = $1 and retired_at is null and needs_version > 1
       union all
       select mod(hash, $2)::integer, needs_version from deferred_reaction where workflow = $1) as part_needs
     group by part`,
    [workflow, total],
  );
  return new Map(rows.map(({ part, needs }) => [part, needs]));
}

/** Rows checked: older code leaves such messages due, so they accumulate at the front. */
const SCAN_LIMIT = 1000;

/** Due work of these partitions that needs newer code than `version`: messages, reactions due for a retry, ends of children. */
export async function dueRequiredVersions(
  db: Queryable,
  { name, version }: Pick<AnyWorkflow, 'name' | 'version'>,
  { parts, total }: AssignedPartitions,
): Promise<PartitionVersions> {
  const rows = await many<{ part: number; needs: number }>(
    db,
    `select mod(due.hash, $3)::integer as part, max(due.needs_version) as needs
     from (
       select message.hash, (
         select needs_version from workflow
         where workflow.tenant = message.tenant and workflow.name = $1 and workflow.id = message.workflow_id
         limit 1) as needs_version
       from (
         select tenant, workflow_id, hash from message
         where workflow = $1 and due_at <= clock() and parked_at is null and mod(hash, $3) = any($2::integer[])
         order by due_at, id
         limit $5) message
       union all
       select workflow.hash, workflow.needs_version
       from (
         select workflow_key from reaction
         where retry_at <= clock() and parked_at is null
         order by retry_at
         limit $5) reaction
       join workflow on key = workflow_key
       where workflow.name = $1 and status <> 'paused' and mod(workflow.hash, $3) = any($2::integer[])
       union all
       select child.parent_hash, workflow.needs_version
       from (
         select parent_key, parent_hash from child
         where parent_workflow = $1 and outcome is not null and told_at is null and mod(parent_hash, $3) = any($2::integer[])
         order by id
         limit $5) child
       join workflow on key = parent_key) due
     where due.needs_version > $4
     group by 1`,
    [name, parts, total, version, SCAN_LIMIT],
  );
  return new Map(rows.map(({ part, needs }) => [part, needs]));
}
