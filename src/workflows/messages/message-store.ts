/** SQL statements for messages: commands on their way to a workflow, including timers. */
import { many, type Queryable, type Tx } from '../../db/database.ts';
import { sanitizeJson } from '../../db/sanitize.ts';
import type { WorkflowRef } from '../../events/event.ts';
import { hashOf } from '../../events/hash.ts';
import type { AnyWorkflow } from '../define.ts';

export interface NewMessage extends WorkflowRef {
  readonly kind: 'command' | 'event';
  readonly body: object;
  readonly commandId?: string | null;
  readonly trace?: string | null | undefined;
}

/** Due at once, and delivered in this order. */
export async function addMessages(tx: Queryable, messages: readonly NewMessage[]): Promise<void> {
  await tx.query(
    `insert into message (tenant, workflow, workflow_id, hash, kind, body, command_id, trace)
     select * from unnest($1::text[], $2::text[], $3::text[], $4::numeric[], $5::text[], $6::json[], $7::text[], $8::text[])`,
    [
      messages.map(({ tenant }) => tenant),
      messages.map(({ workflow }) => workflow),
      messages.map(({ id }) => id),
      messages.map(({ id }) => String(hashOf(id))),
      messages.map(({ kind }) => kind),
      messages.map(({ body }) => sanitizeJson(body)),
      messages.map(({ commandId = null }) => commandId),
      messages.map(({ trace = null }) => trace),
    ],
  );
}

export interface NewTimer extends WorkflowRef {
  readonly name: string;
  readonly body: object;
  /** Delay after this time. */
  readonly since: Date;
  readonly afterMs: number;
  readonly cron: string | null;
  readonly zone: string | null;
}

/** Replaces a timer of the same name. The timers of one workflow here must have distinct names. */
export async function setTimers(tx: Tx, timers: readonly NewTimer[]): Promise<void> {
  await tx.query(
    `insert into message (tenant, workflow, workflow_id, hash, timer, body, due_at, cron, zone)
     select tenant, workflow, id, hash, timer, body, since + after_ms * interval '1 millisecond', cron, zone
     from unnest($1::text[], $2::text[], $3::text[], $4::numeric[], $5::text[], $6::json[], $7::timestamptz[], $8::double precision[],
                 $9::text[], $10::text[])
       as t(tenant, workflow, id, hash, timer, body, since, after_ms, cron, zone)
     on conflict (tenant, workflow, workflow_id, timer) where timer is not null
     do update set body = excluded.body, due_at = excluded.due_at, cron = excluded.cron, zone = excluded.zone,
                   attempts = 0, crashes = 0, error = null, parked_at = null`,
    [
      timers.map(({ tenant }) => tenant),
      timers.map(({ workflow }) => workflow),
      timers.map(({ id }) => id),
      timers.map(({ id }) => String(hashOf(id))),
      timers.map(({ name }) => name),
      timers.map(({ body }) => sanitizeJson(body)),
      timers.map(({ since }) => since),
      timers.map(({ afterMs }) => afterMs),
      timers.map(({ cron }) => cron),
      timers.map(({ zone }) => zone),
    ],
  );
}

export async function cancelTimers(
  tx: Tx,
  timers: readonly (WorkflowRef & { readonly name: string })[],
): Promise<void> {
  await tx.query(
    `delete from message
     using unnest($1::text[], $2::text[], $3::text[], $4::text[]) as t(tenant, workflow, id, timer)
     where message.tenant = t.tenant and message.workflow = t.workflow and message.workflow_id = t.id
       and message.timer = t.timer`,
    [
      timers.map(({ tenant }) => tenant),
      timers.map(({ workflow }) => workflow),
      timers.map(({ id }) => id),
      timers.map(({ name }) => name),
    ],
  );
}

export interface DueMessage {
  readonly id: number;
  readonly tenant: string;
  readonly workflowId: string;
  readonly kind: 'command' | 'event';
  readonly body: never;
  readonly commandId: string | null;
  readonly trace: string | null;
  readonly timer: string | null;
  readonly cron: string | null;
  readonly zone: string | null;
  readonly attempts: number;
  /** Lone attempts that were started and not ended. */
  readonly crashes: number;
  /** Of the child that begins with it. */
  readonly childId: number | null;
  readonly now: Date;
  /** xmin of the row as read; changes with any update. */
  readonly row: string;
}

/** Partitions that a runner holds: remainders of an id's hash, and their number. */
export interface AssignedPartitions {
  readonly parts: readonly number[];
  readonly total: number;
}

/** A workflow type, and the version of the code that is to receive the messages. */
type ReceiverVersion = Pick<AnyWorkflow, 'name' | 'version'>;

/**
 * The code version a message's workflow needs; 1 if it has not begun. A subselect, so that it is an index lookup per message, whatever the size of the
 * table.
 */
const NEEDS = `coalesce((
         select needs_version from workflow
         where workflow.tenant = message.tenant and workflow.name = message.workflow and workflow.id = message.workflow_id
         limit 1), 1)`;

/**
 * Due messages of the slots, or of the partition, that this runner holds. A failed message that is not parked blocks later ones of its workflow: those
 * are left out until it has been delivered. Of two failed ones (possible with a runner of an earlier version), the older one. Messages that need newer
 * code are skipped.
 */
export function dueMessages(
  db: Queryable,
  { name, version }: ReceiverVersion,
  assigned: AssignedPartitions,
  max: number,
): Promise<DueMessage[]> {
  return many<DueMessage>(
    db,
    `select id, tenant, workflow_id as "workflowId", kind, body, command_id as "commandId", trace, timer, cron, zone, attempts, crashes,
            child_id as "childId", clock() as now, xmin::text as row
     from message
     where workflow = $1 and due_at <= clock() and parked_at is null
       and mod(hash, $3) = any($2::integer[]) and ${NEEDS} <= $5
       and not exists (
         select from message failing
         where failing.tenant = message.tenant and failing.workflow = message.workflow and failing.workflow_id = message.workflow_id
           and failing.attempts > 0 and failing.parked_at is null and failing.id <> message.id
           and (message.attempts = 0 or failing.id < message.id))
     order by due_at, id
     limit $4`,
    [name, assigned.parts, assigned.total, max, version],
  );
}

/**
 * Locks the messages that are unchanged since they were read, until the transaction ends. Those locked by another transaction are about to change, and
 * skipped too.
 */
export async function lockUnchanged(
  tx: Tx,
  messages: readonly Pick<DueMessage, 'id' | 'row'>[],
): Promise<Set<number>> {
  const { rows } = await tx.query<{ id: number }>(
    `select message.id from message join unnest($1::bigint[], $2::text[]) as read(id, row) on read.id = message.id
     where message.xmin::text = read.row
     order by message.id
     for update of message skip locked`,
    [messages.map(({ id }) => id), messages.map(({ row }) => row)],
    'lock_messages',
  );
  return new Set(rows.map(({ id }) => id));
}

export async function removeMessages(tx: Tx, ids: readonly number[]): Promise<void> {
  await tx.query('delete from message where id = any($1::bigint[])', [ids]);
}

/**
 * Holds them until their workflow is resumed or ends. Whether it is still paused is checked under its lock: this waits for a transaction that ends it,
 * and one that resumes it releases its messages afterwards and waits for these. A transaction that also writes to other workflows must have locked all
 * of them before, in the global order.
 */
export async function holdMessages(tx: Tx, ids: readonly number[]): Promise<void> {
  await tx.query(
    `with held as materialized (
       select message.id
       from message join workflow
         on workflow.tenant = message.tenant and workflow.name = message.workflow and workflow.id = message.workflow_id
       where message.id = any($1::bigint[]) and workflow.status = 'paused'
       order by workflow.key
       for no key update of workflow)
     update message set due_at = 'infinity' from held where message.id = held.id`,
    [ids],
  );
}

/** Reschedules a periodic timer. */
export async function repeatTimer(tx: Tx, id: number, at: Date): Promise<void> {
  await tx.query('update message set due_at = $2, attempts = 0, crashes = 0, error = null where id = $1', [
    id,
    at,
  ]);
}

/** Retried after a delay; without a delay it is parked until an operator retries it. */
export async function retryMessage(tx: Tx, id: number, error: string, delayMs: number | null): Promise<void> {
  await tx.query(
    `update message
     set attempts = attempts + 1, error = $2,
         due_at = coalesce(clock() + $3 * interval '1 millisecond', due_at),
         parked_at = case when $3 is null then clock() end
     where id = $1`,
    [id, error, delayMs],
  );
}

/**
 * Called before a message is tried alone: the attempt counts even if the process crashes. Returns the number of such attempts started and not ended,
 * including this one; null: the message was changed meanwhile.
 */
export async function countIsolatedAttempt(
  db: Queryable,
  { id, row }: Pick<DueMessage, 'id' | 'row'>,
): Promise<{ readonly crashes: number; readonly row: string } | null> {
  const { rows } = await db.query<{ crashes: number; row: string }>(
    `update message set crashes = crashes + 1 where id = $1 and xmin::text = $2
     returning crashes, xmin::text as row`,
    [id, row],
  );
  return rows[0] ?? null;
}

/** The process did not crash, whatever the result of the attempt. */
export async function uncountIsolatedAttempt(db: Queryable, id: number, crashes: number): Promise<void> {
  await db.query('update message set crashes = crashes - 1 where id = $1 and crashes = $2 and crashes > 0', [
    id,
    crashes,
  ]);
}

/** Milliseconds until the next message of these partitions is due; null when none is. Same rule as `dueMessages`. */
export async function nextDue(
  db: Queryable,
  { name, version }: ReceiverVersion,
  assigned: AssignedPartitions,
): Promise<number | null> {
  const { rows } = await db.query<{ ms: number }>(
    `select greatest(extract(epoch from due_at - clock()) * 1000, 0)::double precision as ms from message
     where workflow = $1 and parked_at is null and due_at < 'infinity'
       and mod(hash, $3) = any($2::integer[]) and ${NEEDS} <= $4
       and not exists (
         select from message failing
         where failing.tenant = message.tenant and failing.workflow = message.workflow and failing.workflow_id = message.workflow_id
           and failing.attempts > 0 and failing.parked_at is null and failing.id <> message.id
           and (message.attempts = 0 or failing.id < message.id))
     order by due_at
     limit 1`,
    [name, assigned.parts, assigned.total, version],
    'next_due',
  );
  return rows[0]?.ms ?? null;
}
