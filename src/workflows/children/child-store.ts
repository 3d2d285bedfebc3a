/** SQL statements for child workflows, one function each. The protocol is described in child.ts. */
import { many, type Queryable, type Tx } from '../../db/database.ts';
import { sanitizeJson } from '../../db/sanitize.ts';
import { hashOf } from '../../events/hash.ts';
import type { AnyWorkflow } from '../define.ts';
import type { AssignedPartitions } from '../messages/message-store.ts';
import type { StartChild } from './child.ts';

export interface NewChild {
  readonly tenant: string;
  readonly parentKey: number;
  readonly parentWorkflow: string;
  readonly parentId: string;
  readonly start: StartChild;
  /** Cancelled by the same reaction: it is begun and ended like any other, so that its parent receives the event. */
  readonly cancelled?: boolean;
}

/** Inserts children with the messages that start them. A child whose id is taken fails at once. */
export async function addChildren(tx: Tx, children: readonly NewChild[]): Promise<void> {
  await tx.query(
    `with wanted as materialized (
       select * from unnest($1::text[], $2::text[], $3::text[], $4::numeric[], $5::text[], $6::bigint[], $7::text[], $8::numeric[],
                            $9::text[], $10::json[], $11::boolean[])
         with ordinality as w(tenant, workflow, workflow_id, hash, name, parent_key, parent_workflow, parent_hash, on_parent_end, command, cancelled, n)),
     begun as (
       insert into child (tenant, workflow, workflow_id, hash, name, parent_key, parent_workflow, parent_hash, on_parent_end, cancel_at)
       select tenant, workflow, workflow_id, hash, name, parent_key, parent_workflow, parent_hash, on_parent_end,
              case when cancelled then clock() end
       from wanted
       where not exists (
         select from workflow
         where workflow.tenant = wanted.tenant and workflow.name = wanted.workflow and workflow.id = wanted.workflow_id)
       order by tenant, workflow, workflow_id, n
       on conflict (tenant, workflow, workflow_id) where not refused do nothing
       returning id, tenant, workflow, workflow_id),
     -- Of several with one id the first has it.
     first as (
       select min(wanted.n) as n, begun.id
       from begun join wanted using (tenant, workflow, workflow_id)
       group by begun.id),
     started as (
       insert into message (tenant, workflow, workflow_id, hash, body, command_id, child_id)
       select tenant, workflow, workflow_id, hash, command, 'child ' || first.id, first.id
       from first join wanted using (n)
       order by n)
     insert into child (tenant, workflow, workflow_id, hash, name, parent_key, parent_workflow, parent_hash, on_parent_end,
                        refused, outcome, error)
     select tenant, workflow, workflow_id, hash, name, parent_key, parent_workflow, parent_hash, on_parent_end,
            true, 'failed',
            case when exists (
                   select from workflow
                   where workflow.tenant = wanted.tenant and workflow.name = wanted.workflow and workflow.id = wanted.workflow_id)
                 then 'There is a ' || workflow || ' ' || workflow_id || ' already; a child needs an id of its own.'
                 else 'The id ' || workflow_id || ' was used by an earlier child of the kind ' || workflow
                      || '; a child needs an id of its own.' end
     from wanted
     where n not in (select n from first)
     order by n`,
    [
      children.map(({ tenant }) => tenant),
      children.map(({ start }) => start.workflow),
      children.map(({ start }) => start.id),
      children.map(({ start }) => String(hashOf(start.id))),
      children.map(({ start }) => start.name),
      children.map(({ parentKey }) => parentKey),
      children.map(({ parentWorkflow }) => parentWorkflow),
      children.map(({ parentId }) => String(hashOf(parentId))),
      children.map(({ start }) => start.onParentEnd),
      children.map(({ start }) => sanitizeJson(start.command)),
      children.map(({ cancelled = false }) => cancelled),
    ],
  );
}

export interface ChildToCancel {
  readonly tenant: string;
  readonly parentKey: number;
  readonly workflow: string;
  readonly id: string;
}

/** Ids of existing children that have not ended. Their parents must be locked: then no children can be added. */
export async function openChildren(tx: Tx, children: readonly ChildToCancel[]): Promise<number[]> {
  const rows = await many<{ id: number }>(
    tx,
    `select child.id
     from child join unnest($1::text[], $2::bigint[], $3::text[], $4::text[]) as wanted(tenant, parent_key, workflow, workflow_id)
       using (tenant, parent_key, workflow, workflow_id)
     where child.outcome is null and not child.refused`,
    [
      children.map(({ tenant }) => tenant),
      children.map(({ parentKey }) => parentKey),
      children.map(({ workflow }) => workflow),
      children.map(({ id }) => id),
    ],
  );
  return rows.map(({ id }) => id);
}

/**
 * Workflows have ended: sets the outcome of those that are children, and marks for cancellation their own children started with onParentEnd 'cancel',
 * and the children `cancelled` by their parents. All are locked together, in key order. Returns the workflow types that have work now.
 */
export async function endChildren(
  tx: Tx,
  keys: readonly number[],
  cancelled: readonly number[] = [],
): Promise<string[]> {
  const rows = await many<{ kind: string }>(
    tx,
    `with over as materialized (
       select key, tenant, name, id, result, failure,
              case when status = 'cancelled' then 'cancelled' when failure is not null then 'failed' else 'completed' end as outcome
       from workflow
       where key = any($1::bigint[]) and status in ('completed', 'cancelled')),
     own as materialized (
       select child.id, over.outcome, over.result, over.failure
       from over
       join child on child.tenant = over.tenant and child.workflow = over.name and child.workflow_id = over.id and not child.refused
       where child.outcome is null
         and not exists ( -- one that has not begun: this workflow was begun by another command
           select from message
           where message.tenant = over.tenant and message.workflow = over.name and message.workflow_id = over.id
             and message.child_id = child.id)),
     orphan as materialized (
       select child.id from over join child on child.parent_key = over.key
       where child.outcome is null and child.cancel_at is null and child.on_parent_end = 'cancel'
       union
       select child.id from child where child.id = any($2::bigint[]) and child.outcome is null and child.cancel_at is null),
     touched as materialized (
       select child.id from child
       where child.id in (select id from own union select id from orphan)
       order by child.id
       for no key update)
     update child
     set outcome = own.outcome, result = own.result, error = own.failure,
         cancel_at = case when child.id in (select id from orphan) then clock() else child.cancel_at end
     from touched left join own using (id)
     where child.id = touched.id and child.outcome is null
     returning case when child.outcome is null then child.workflow else child.parent_workflow end as kind`,
    [keys, cancelled],
  );
  return [...new Set(rows.map(({ kind }) => kind))];
}

/** They could not begin. Taken: the workflow with their id was begun by another command, and is not theirs. */
export async function failChildren(
  tx: Tx,
  failed: readonly { readonly childId: number; readonly error: string; readonly taken: boolean }[],
): Promise<void> {
  await tx.query(
    `with touched as materialized (
       select child.id, failed.error, failed.taken
       from child join unnest($1::bigint[], $2::text[], $3::boolean[]) as failed(id, error, taken) using (id)
       order by child.id
       for no key update of child)
     update child set outcome = 'failed', error = touched.error, refused = touched.taken
     from touched
     where child.id = touched.id and child.outcome is null`,
    [
      failed.map(({ childId }) => childId),
      failed.map(({ error }) => error),
      failed.map(({ taken }) => taken),
    ],
  );
}

export async function hasEnded(tx: Tx, workflowKey: number): Promise<boolean> {
  const { rowCount } = await tx.query(
    `select from workflow where key = $1 and status in ('completed', 'cancelled')`,
    [workflowKey],
  );
  return rowCount > 0;
}

/** Deletes its undelivered first command. The messages of its id must be locked. */
export async function isNotStarted(tx: Tx, childId: number): Promise<boolean> {
  const { rowCount } = await tx.query(
    `select from child join message using (tenant, workflow, workflow_id)
     where child.id = $1 and message.child_id = child.id`,
    [childId],
  );
  return rowCount > 0;
}

/** It was to be cancelled, and has not begun. Taken: the workflow with its id was begun by another command, and is not its own. */
export async function cancelNotStarted(tx: Tx, childId: number, taken: boolean): Promise<void> {
  await tx.query(
    `delete from message using child
     where child.id = $1 and message.child_id = child.id
       and message.tenant = child.tenant and message.workflow = child.workflow and message.workflow_id = child.workflow_id`,
    [childId],
  );
  await tx.query(`update child set outcome = 'cancelled', refused = $2 where id = $1 and outcome is null`, [
    childId,
    taken,
  ]);
}

export interface DueChild {
  readonly id: number;
  readonly tenant: string;
  readonly workflow: string;
  readonly workflowId: string;
  readonly name: string;
  readonly parentKey: number;
  readonly parentWorkflow: string;
  /** Null: it is to be cancelled; otherwise its parent is to receive the event. */
  readonly outcome: 'completed' | 'failed' | 'cancelled' | null;
  readonly result: unknown;
  readonly error: string | null;
}

/** Ended children whose parents in these partitions have no event yet, and children in these partitions that must be cancelled. Takes no locks. */
export async function dueChildren(
  db: Queryable,
  { name, version }: Pick<AnyWorkflow, 'name' | 'version'>,
  assigned: AssignedPartitions,
  max: number,
): Promise<DueChild[]> {
  const { rows } = await db.query<DueChild>(
    `(select id, tenant, workflow, workflow_id as "workflowId", name, parent_key as "parentKey", parent_workflow as "parentWorkflow",
             outcome, result, error
      from child
      where parent_workflow = $1 and outcome is not null and told_at is null and mod(parent_hash, $3) = any($2::integer[])
        and (select needs_version from workflow parent where parent.key = child.parent_key) <= $5
      order by id
      limit $4)
     union all
     (select id, tenant, workflow, workflow_id, name, parent_key, parent_workflow, outcome, result, error
      from child
      where workflow = $1 and cancel_at is not null and outcome is null and mod(hash, $3) = any($2::integer[])
      order by id
      limit $4)`,
    [name, assigned.parts, assigned.total, max, version],
    'due_children',
  );
  return rows;
}

/** Marks the parent's event as appended by this transaction. Returns those that no other transaction had marked before. */
export async function markParentNotified(tx: Tx, ids: readonly number[]): Promise<Set<number>> {
  const rows = await many<{ id: number }>(
    tx,
    `with touched as materialized (
       select id from child where id = any($1::bigint[]) and told_at is null order by id for no key update)
     update child set told_at = clock()
     from touched
     where child.id = touched.id and child.told_at is null
     returning child.id`,
    [ids],
  );
  return new Set(rows.map(({ id }) => id));
}

export interface ChildSummary {
  readonly workflow: string;
  readonly id: string;
  readonly name: string;
  readonly onParentEnd: 'cancel' | 'abandon';
  readonly outcome: DueChild['outcome'];
  readonly error: string | null;
  /** Its parent has ended or cancelled it: it must be cancelled. */
  readonly cancelAt: Date | null;
}

/** In the order in which they were started. */
export function childrenOf(db: Queryable, parentKey: number, max: number): Promise<ChildSummary[]> {
  return many(
    db,
    `select workflow, workflow_id as id, name, on_parent_end as "onParentEnd", outcome, error, cancel_at as "cancelAt" from child
     where parent_key = $1
     order by child.id
     limit $2`,
    [parentKey, max],
  );
}

export async function parentOf(
  db: Queryable,
  { tenant, workflow, id }: { readonly tenant: string; readonly workflow: string; readonly id: string },
): Promise<{ readonly workflow: string; readonly id: string; readonly onParentEnd: string } | null> {
  const [parent] = await many<{ workflow: string; id: string; onParentEnd: string }>(
    db,
    `select parent.name as workflow, parent.id, on_parent_end as "onParentEnd"
     from child join workflow as parent on parent.key = child.parent_key
     where child.tenant = $1 and child.workflow = $2 and child.workflow_id = $3 and not child.refused`,
    [tenant, workflow, id],
  );
  return parent ?? null;
}
