/** The rows of workflows: identity, version and status. */
import { many, maybeOne, type Queryable, type Tx } from '../db/database.ts';
import type { WorkflowRef } from '../events/event.ts';
import { cancelActions } from './actions/action-store.ts';
import { endChildren } from './children/child-store.ts';
import type { WorkflowOutcome } from './waiting/workflow-outcome.ts';

export type Status = 'running' | 'paused' | 'completed' | 'cancelled';

export interface Head extends WorkflowRef {
  readonly key: number;
  readonly version: number;
  readonly status: Status;
  /** The minimum version of the code that may process it. */
  readonly needsVersion: number;
}

/** Locks workflows in the global order, so that writers can't deadlock. */
export async function lockWorkflows(tx: Tx, keys: readonly number[]): Promise<Map<number, Head>> {
  const { rows } = await tx.query<Head>(
    `select key, tenant, name as workflow, id, version, status, needs_version as "needsVersion" from workflow
     where key = any($1::bigint[])
     order by key
     for no key update`,
    [keys],
    'lock_workflows',
  );
  return new Map(rows.map((head) => [head.key, head]));
}

/** The same by id. Workflows that have not begun have no row to lock. */
export function lockWorkflowsById(
  tx: Tx,
  workflow: string,
  wanted: readonly { readonly tenant: string; readonly id: string }[],
): Promise<Pick<Head, 'key' | 'version' | 'status' | 'needsVersion'>[]> {
  return many(
    tx,
    `select key, version, status, needs_version as "needsVersion" from workflow
     where name = $1 and (tenant, id) in (select * from unnest($2::text[], $3::text[]))
     order by key
     for no key update`,
    [workflow, wanted.map(({ tenant }) => tenant), wanted.map(({ id }) => id)],
  );
}

export function readHead(db: Queryable, { tenant, workflow, id }: WorkflowRef): Promise<Head | null> {
  return maybeOne<Head>(
    db,
    `select key, tenant, name as workflow, id, version, status, needs_version as "needsVersion" from workflow
     where tenant = $1 and name = $2 and id = $3`,
    [tenant, workflow, id],
  );
}

export interface EndWorkflowsOptions {
  /** Results and failures, by key. */
  readonly endings?: ReadonlyMap<number, WorkflowOutcome>;
  /** Collects the workflow types that have work now: parents and children of those that ended. */
  readonly woken?: Set<string>;
  /** Children to be cancelled although their parents have not ended. */
  readonly cancelled?: readonly number[];
}

/**
 * Code of this version has asked for actions or timers that only such code can continue. Older code must not process the workflow from now on. The
 * workflows must be locked, in the global order.
 */
export async function raiseNeededVersion(tx: Tx, keys: readonly number[], version: number): Promise<void> {
  await tx.query(
    'update workflow set needs_version = $2 where key = any($1::bigint[]) and needs_version < $2',
    [keys, version],
  );
}

/**
 * Ends workflows with their open actions, timers and subscriptions. Returns those that were open. The timers must be locked before the workflows: see
 * `lockTimers`.
 */
export async function endWorkflows(
  tx: Tx,
  keys: readonly number[],
  status: 'completed' | 'cancelled',
  { endings = new Map(), woken, cancelled = [] }: EndWorkflowsOptions = {},
): Promise<number[]> {
  const { rows } = await tx.query<{ key: number }>(
    `with mine as materialized (
       select key, tenant, name, id from workflow
       where key = any($1::bigint[]) and status in ('running', 'paused')
       order by key
       for no key update),
     ended as (
       update workflow set status = $2, changed_at = clock(), result = ending.result, failure = ending.failure
       from mine left join unnest($3::bigint[], $4::json[], $5::text[]) as ending(key, result, failure) using (key)
       where workflow.key = mine.key),
     timers as (
       delete from message using mine
       where message.tenant = mine.tenant and message.workflow = mine.name and message.workflow_id = mine.id
         and message.timer is not null),
     -- Held messages are rejected and deleted on delivery. Those locked by another transaction are released by that one.
     released as (
       update message set due_at = clock()
       where message.id in (
         select message.id from message join mine
           on message.tenant = mine.tenant and message.workflow = mine.name and message.workflow_id = mine.id
         where message.due_at = 'infinity' and message.timer is null
         for update of message skip locked)),
     subscriptions as (
       delete from subscription using mine
       where subscription.tenant = mine.tenant and subscription.workflow = mine.name and subscription.workflow_id = mine.id)
     select key from mine`,
    [
      keys,
      status,
      [...endings.keys()],
      [...endings.values()].map(({ result }) => result),
      [...endings.values()].map(({ failure }) => failure),
    ],
  );
  const ended = rows.map(({ key }) => key);
  if (ended.length > 0) await cancelActions(tx, ended);
  if (ended.length + cancelled.length > 0)
    for (const kind of await endChildren(tx, ended, cancelled)) woken?.add(kind);
  return ended;
}

/**
 * The global lock order is leases, messages, workflows, actions, children, reactions, search attributes; it prevents deadlocks. A transaction that
 * ends workflows locks their timers first.
 */
export async function lockTimers(tx: Tx, keys: readonly number[]): Promise<void> {
  await tx.query(
    `select from message join workflow on message.tenant = workflow.tenant and message.workflow = workflow.name
       and message.workflow_id = workflow.id
     where workflow.key = any($1::bigint[]) and message.timer is not null
     order by message.id
     for update of message`,
    [keys],
  );
}
