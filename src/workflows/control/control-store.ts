/** SQL statements for operator commands, one function each. */
import { many, type Queryable, type Tx } from '../../db/database.ts';
import { sanitizeJson } from '../../db/sanitize.ts';
import type { WorkflowRef } from '../../events/event.ts';
import { hashOf } from '../../events/hash.ts';
import { activeTrace } from '../telemetry/trace-parent.ts';

export async function setStatus(tx: Tx, key: number, status: 'running' | 'paused'): Promise<void> {
  await tx.query('update workflow set status = $2, changed_at = clock() where key = $1', [key, status]);
}

/** Schedules its reactions at once, including events that happened meanwhile. Parked reactions stay parked. */
export async function wakeReaction(tx: Tx, key: number): Promise<void> {
  await tx.query(
    `insert into reaction (workflow_key, version, retry_at) values ($1, 0, clock())
     on conflict (workflow_key) do update set retry_at = clock() where reaction.parked_at is null`,
    [key],
  );
}

/** Waits for deliveries of these messages in progress: messages they hold are visible to the next statement. */
export async function lockMessages(tx: Tx, { tenant, workflow, id }: WorkflowRef): Promise<void> {
  await tx.query(
    `select from message
     where tenant = $1 and workflow = $2 and workflow_id = $3
     order by id
     for update`,
    [tenant, workflow, id],
  );
}

/** Messages held while the workflow was paused. */
export async function releaseMessages(tx: Tx, { tenant, workflow, id }: WorkflowRef): Promise<number> {
  const { rowCount } = await tx.query(
    `update message set due_at = clock()
     where tenant = $1 and workflow = $2 and workflow_id = $3 and due_at = 'infinity'`,
    [tenant, workflow, id],
  );
  return rowCount;
}

/** Selects all workflows of a tenant, of a type, or one. */
export interface WorkflowSelector {
  readonly tenant: string;
  readonly workflow?: string | undefined;
  readonly id?: string | undefined;
}

export interface ParkedItem {
  readonly what: 'reaction' | 'message';
  readonly workflow: string;
  readonly id: string;
  /** Version of the event whose reaction failed; null for a message. */
  readonly version: number | null;
  /** Number of the message; null for a reaction. */
  readonly message: number | null;
  readonly attempts: number;
  readonly error: string;
  readonly since: Date;
}

/** The newest first. Excludes workflows that have ended. */
export function listParked(
  db: Queryable,
  { tenant, workflow = '', id = '' }: WorkflowSelector,
  max: number,
): Promise<ParkedItem[]> {
  return many<ParkedItem>(
    db,
    `select 'reaction' as what, workflow.name as workflow, workflow.id, reaction.version + 1 as version, null::bigint as message,
            reaction.attempts, coalesce(reaction.error, '') as error, reaction.parked_at as since
     from reaction join workflow on workflow.key = reaction.workflow_key
     where reaction.parked_at is not null and workflow.tenant = $1 and workflow.status in ('running', 'paused')
       and ($2 = '' or workflow.name = $2) and ($3 = '' or workflow.id = $3)
     union all
     select 'message', workflow, workflow_id, null, id, attempts, coalesce(error, ''), parked_at
     from message
     where parked_at is not null and tenant = $1 and ($2 = '' or workflow = $2) and ($3 = '' or workflow_id = $3)
     order by since desc, message
     limit $4`,
    [tenant, workflow, id, max],
  );
}

/** Requeues them with reset attempt counts. Returns their workflow types. */
export function retryReactions(
  tx: Tx,
  { tenant, workflow = '', id = '' }: WorkflowSelector,
): Promise<{ name: string }[]> {
  return many(
    tx,
    `update reaction set attempts = 0, parked_at = null, retry_at = clock()
     from workflow
     where workflow.key = reaction.workflow_key and reaction.parked_at is not null
       and workflow.tenant = $1 and workflow.status in ('running', 'paused')
       and ($2 = '' or workflow.name = $2) and ($3 = '' or workflow.id = $3)
     returning workflow.name`,
    [tenant, workflow, id],
  );
}

export function retryMessages(
  tx: Tx,
  { tenant, workflow = '', id = '' }: WorkflowSelector,
): Promise<{ name: string }[]> {
  return many(
    tx,
    `update message set attempts = 0, crashes = 0, parked_at = null, due_at = clock()
     where parked_at is not null and tenant = $1 and ($2 = '' or workflow = $2) and ($3 = '' or workflow_id = $3)
     returning workflow as name`,
    [tenant, workflow, id],
  );
}

export interface Signal extends WorkflowRef {
  readonly command: object;
  readonly commandId: string | null;
  /** Null: after `afterMs`, by the database's clock. */
  readonly at: Date | null;
  readonly afterMs: number;
}

export async function addSignal(db: Queryable, signal: Signal): Promise<{ message: number; due: Date }> {
  const [row] = await many<{ message: number; due: Date }>(
    db,
    `insert into message (tenant, workflow, workflow_id, hash, body, command_id, due_at, trace)
     values ($1, $2, $3, $4, $5, $6, coalesce($7::timestamptz, clock() + $8 * interval '1 millisecond'), $9)
     returning id as message, due_at as due`,
    [
      signal.tenant,
      signal.workflow,
      signal.id,
      String(hashOf(signal.id)),
      sanitizeJson(signal.command),
      signal.commandId,
      signal.at,
      signal.afterMs,
      activeTrace(),
    ],
  );
  return row!;
}
