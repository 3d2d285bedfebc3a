/** Queries on workflows for the CLI: their rows, pending work, and events. */
import { many, maybeOne, type Queryable } from '../../db/database.ts';
import type { WorkflowRef } from '../../events/event.ts';
import type { Status } from '../workflow-store.ts';

export interface WorkflowFilter {
  readonly tenant: string;
  readonly name?: string | undefined;
  readonly status?: Status | 'parked' | undefined;
  /** The `key` of the last one of the previous page. */
  readonly after?: number | undefined;
}

export interface WorkflowSummary {
  readonly key: number;
  readonly workflow: string;
  readonly id: string;
  readonly status: Status;
  readonly version: number;
  /** The last event that was reacted to. */
  readonly reacted: number;
  readonly parkedAt: Date | null;
  readonly error: string | null;
  readonly createdAt: Date;
  readonly changedAt: Date;
  /** Search attributes; null: none were written. */
  readonly attributes: Readonly<Record<string, string | number | boolean>> | null;
}

/** The most recently started first. */
export function listWorkflows(
  db: Queryable,
  filter: WorkflowFilter,
  limit: number,
): Promise<WorkflowSummary[]> {
  return many<WorkflowSummary>(
    db,
    `select key, name as workflow, id, status, workflow.version,
            coalesce(reaction.version, case when purged_at is null then 0 else workflow.version end) as reacted,
            parked_at as "parkedAt", error, created_at as "createdAt", changed_at as "changedAt", attributes
     from workflow left join reaction on reaction.workflow_key = key
     left join workflow_attribute on workflow_attribute.workflow_key = key
     where tenant = $1 and ($2 = '' or name = $2)
       and ($3 = '' or case when $3 = 'parked' then parked_at is not null and status in ('running', 'paused') else status = $3 end)
       and key < coalesce($4::bigint, 9223372036854775807)
     order by key desc
     limit $5`,
    [filter.tenant, filter.name ?? '', filter.status ?? '', filter.after ?? null, limit],
  );
}

/** The same, filtered by a jsonpath predicate on the attributes. Workflows without attributes never match. */
export function findWorkflows(
  db: Queryable,
  filter: WorkflowFilter & { readonly jsonpath: string },
  limit: number,
): Promise<WorkflowSummary[]> {
  return many<WorkflowSummary>(
    db,
    `select key, name as workflow, id, status, workflow.version,
            coalesce(reaction.version, case when purged_at is null then 0 else workflow.version end) as reacted,
            parked_at as "parkedAt", error, created_at as "createdAt", changed_at as "changedAt", attributes
     from workflow_attribute join workflow on key = workflow_attribute.workflow_key
     left join reaction on reaction.workflow_key = key
     where attributes @@ $6::jsonpath
       and tenant = $1 and ($2 = '' or name = $2)
       and ($3 = '' or case when $3 = 'parked' then parked_at is not null and status in ('running', 'paused') else status = $3 end)
       and key < coalesce($4::bigint, 9223372036854775807)
     order by key desc
     limit $5`,
    [filter.tenant, filter.name ?? '', filter.status ?? '', filter.after ?? null, limit, filter.jsonpath],
  );
}

/** The attribute names of the newest workflows: enough to detect a mistyped one. */
export async function attributeNames(
  db: Queryable,
  { tenant, name }: WorkflowFilter,
  newest: number,
): Promise<string[]> {
  const rows = await many<{ name: string }>(
    db,
    `select distinct jsonb_object_keys(attributes) as name
     from (
       select attributes from workflow_attribute join workflow on key = workflow_key
       where tenant = $1 and ($2 = '' or name = $2)
       order by workflow_key desc
       limit $3) newest
     order by name`,
    [tenant, name ?? '', newest],
  );
  return rows.map((row) => row.name);
}

export interface WorkflowHead extends WorkflowSummary {
  /** The minimum version of the code that may process it. */
  readonly needsVersion: number;
  /** Since when its reactions wait for a runner with that version. */
  readonly deferredSince: Date | null;
  readonly attempts: number;
  /** When a failed reaction is retried. */
  readonly retryAt: Date | null;
  /** The first remaining event; null: they were archived. */
  readonly firstVersion: number | null;
  /** Of `complete(result)`. */
  readonly result: unknown;
  /** Of `fail(error)`. */
  readonly failure: string | null;
  /** When everything but its id and the ids of its commands was purged. */
  readonly purgedAt: Date | null;
}

export function readWorkflowHead(
  db: Queryable,
  { tenant, workflow, id }: WorkflowRef,
): Promise<WorkflowHead | null> {
  return maybeOne<WorkflowHead>(
    db,
    `select key, name as workflow, id, status, workflow.version,
            coalesce(reaction.version, case when purged_at is null then 0 else workflow.version end) as reacted,
            parked_at as "parkedAt", error, created_at as "createdAt", changed_at as "changedAt", attributes,
            coalesce(attempts, 0) as attempts, retry_at as "retryAt", workflow.needs_version as "needsVersion", result, failure,
            (select since from deferred_reaction where workflow_key = key) as "deferredSince",
            (select min(version) from event where workflow_key = key) as "firstVersion", purged_at as "purgedAt"
     from workflow left join reaction on reaction.workflow_key = key
     left join workflow_attribute on workflow_attribute.workflow_key = key
     where tenant = $1 and name = $2 and id = $3`,
    [tenant, workflow, id],
  );
}

export interface OpenAction {
  readonly name: string;
  readonly version: number;
  readonly n: number;
  readonly state: 'waiting' | 'running';
  readonly attempts: number;
  readonly due: Date;
  readonly error: string | null;
}

export function openActions(db: Queryable, key: number, max: number): Promise<OpenAction[]> {
  return many<OpenAction>(
    db,
    `select name, version, n, state, attempts, due_at as due, error from action
     where workflow_key = $1 and state in ('waiting', 'running')
     order by version, n
     limit $2`,
    [key, max],
  );
}

export interface PendingMessage {
  readonly message: number;
  /** Null: not a timer but a pending command or event. */
  readonly timer: string | null;
  readonly kind: 'command' | 'event';
  readonly type: string | null;
  readonly cron: string | null;
  readonly zone: string | null;
  /** Null: held until the workflow is resumed. */
  readonly due: Date | null;
  readonly parkedAt: Date | null;
  readonly error: string | null;
}

/** Parsed here, not by PostgreSQL, whose JSON operators fail on a lone surrogate anywhere in the document. */
export async function pendingMessages(
  db: Queryable,
  { tenant, workflow, id }: WorkflowRef,
  max: number,
): Promise<PendingMessage[]> {
  const rows = await many<Omit<PendingMessage, 'type'> & { body: { type?: unknown } | null }>(
    db,
    `select id as message, timer, kind, body, cron, zone, nullif(due_at, 'infinity') as due,
            parked_at as "parkedAt", error
     from message
     where tenant = $1 and workflow = $2 and workflow_id = $3
     order by due_at, id
     limit $4`,
    [tenant, workflow, id, max],
  );
  return rows.map(({ body, ...rest }) => ({
    ...rest,
    type: typeof body?.type === 'string' ? body.type : null,
  }));
}

export interface SubscriptionSummary {
  readonly name: string;
  readonly onWorkflow: string | null;
  readonly onId: string | null;
  readonly onType: string | null;
  readonly tags: readonly string[];
}

export function subscriptionsOf(
  db: Queryable,
  { tenant, workflow, id }: WorkflowRef,
): Promise<SubscriptionSummary[]> {
  return many<SubscriptionSummary>(
    db,
    `select name, on_workflow as "onWorkflow", on_id as "onId", on_type as "onType", tags from subscription
     where tenant = $1 and workflow = $2 and workflow_id = $3
     order by name`,
    [tenant, workflow, id],
  );
}

export interface EventSummary {
  readonly version: number;
  readonly type: string;
  readonly schema: number;
  readonly data: Readonly<Record<string, unknown>>;
  readonly tags: readonly string[];
  readonly commandId: string | null;
  readonly at: Date;
}

/** In order. */
export function eventsAfter(db: Queryable, key: number, after: number, max: number): Promise<EventSummary[]> {
  return many<EventSummary>(
    db,
    `select version, type, schema, data, tags, command_id as "commandId", at from event
     where workflow_key = $1 and version > $2
     order by version
     limit $3`,
    [key, after, max],
  );
}

/** In order. */
export function lastEvents(db: Queryable, key: number, max: number): Promise<EventSummary[]> {
  return many<EventSummary>(
    db,
    `select * from (
       select version, type, schema, data, tags, command_id as "commandId", at from event
       where workflow_key = $1
       order by version desc
       limit $2) last
     order by version`,
    [key, max],
  );
}
