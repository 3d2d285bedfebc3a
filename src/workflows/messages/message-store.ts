/** The statements behind messages: commands on their way to a workflow, timers among them. */
import { many, type Queryable, type Tx } from '../../db/database.ts';
import { storableJson } from '../../db/storable.ts';
import type { Address } from '../../events/event.ts';
import { hashOf } from '../../events/hash.ts';

export interface NewMessage extends Address {
  readonly kind: 'command' | 'event';
  readonly body: object;
  readonly commandId?: string | null;
}

/** Due at once, and delivered in this order. */
export async function addMessages(tx: Queryable, messages: readonly NewMessage[]): Promise<void> {
  await tx.query(
    `insert into message (tenant, workflow, workflow_id, hash, kind, body, command_id)
     select * from unnest($1::text[], $2::text[], $3::text[], $4::numeric[], $5::text[], $6::json[], $7::text[])`,
    [
      messages.map(({ tenant }) => tenant),
      messages.map(({ workflow }) => workflow),
      messages.map(({ id }) => id),
      messages.map(({ id }) => String(hashOf(id))),
      messages.map(({ kind }) => kind),
      messages.map(({ body }) => storableJson(body)),
      messages.map(({ commandId = null }) => commandId),
    ],
  );
}

export interface NewTimer extends Address {
  readonly name: string;
  readonly body: object;
  /** From now, by the database's clock. */
  readonly afterMs: number;
  readonly cron: string | null;
  readonly zone: string | null;
}

/** One of the same name is replaced. No workflow may have two of one name among these. */
export async function setTimers(tx: Tx, timers: readonly NewTimer[]): Promise<void> {
  await tx.query(
    `insert into message (tenant, workflow, workflow_id, hash, timer, body, due_at, cron, zone)
     select tenant, workflow, id, hash, timer, body, clock() + after_ms * interval '1 millisecond', cron, zone
     from unnest($1::text[], $2::text[], $3::text[], $4::numeric[], $5::text[], $6::json[], $7::double precision[],
                 $8::text[], $9::text[])
       as t(tenant, workflow, id, hash, timer, body, after_ms, cron, zone)
     on conflict (tenant, workflow, workflow_id, timer) where timer is not null
     do update set body = excluded.body, due_at = excluded.due_at, cron = excluded.cron, zone = excluded.zone,
                   attempts = 0, error = null, parked_at = null`,
    [
      timers.map(({ tenant }) => tenant),
      timers.map(({ workflow }) => workflow),
      timers.map(({ id }) => id),
      timers.map(({ id }) => String(hashOf(id))),
      timers.map(({ name }) => name),
      timers.map(({ body }) => storableJson(body)),
      timers.map(({ afterMs }) => afterMs),
      timers.map(({ cron }) => cron),
      timers.map(({ zone }) => zone),
    ],
  );
}

export async function cancelTimers(
  tx: Tx,
  timers: readonly (Address & { readonly name: string })[],
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
  readonly timer: string | null;
  readonly cron: string | null;
  readonly zone: string | null;
  readonly attempts: number;
  /** Of the child that begins with it. */
  readonly childId: number | null;
  readonly now: Date;
}

/** The parts that a runner holds, of so many: remainders of an id's hash. */
export interface Mine {
  readonly parts: readonly number[];
  readonly total: number;
}

/** Locked until the transaction ends. Of the slots, or of the partition, that this runner holds. */
export function dueMessages(tx: Tx, workflow: string, mine: Mine, most: number): Promise<DueMessage[]> {
  return many<DueMessage>(
    tx,
    `select id, tenant, workflow_id as "workflowId", kind, body, command_id as "commandId", timer, cron, zone, attempts, child_id as "childId", clock() as now
     from message
     where workflow = $1 and due_at <= clock() and parked_at is null
       and mod(hash, $3) = any($2::integer[])
     order by due_at, id
     limit $4
     for update skip locked`,
    [workflow, mine.parts, mine.total, most],
  );
}

export async function removeMessages(tx: Tx, ids: readonly number[]): Promise<void> {
  await tx.query('delete from message where id = any($1::bigint[])', [ids]);
}

/** They wait for somebody to resume their workflow. */
export async function holdMessages(tx: Tx, ids: readonly number[]): Promise<void> {
  await tx.query(`update message set due_at = 'infinity' where id = any($1::bigint[])`, [ids]);
}

/** A timer that comes again. */
export async function repeatTimer(tx: Tx, id: number, at: Date): Promise<void> {
  await tx.query('update message set due_at = $2, attempts = 0, error = null where id = $1', [id, at]);
}

/** Tried again later; without a delay it is parked until somebody has looked at it. */
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

/** When the next one of these parts is due, in milliseconds from now; null when none is. */
export async function nextDue(db: Queryable, workflow: string, mine: Mine): Promise<number | null> {
  const { rows } = await db.query<{ ms: number }>(
    `select greatest(extract(epoch from due_at - clock()) * 1000, 0)::double precision as ms from message
     where workflow = $1 and parked_at is null and due_at < 'infinity'
       and mod(hash, $3) = any($2::integer[])
     order by due_at
     limit 1`,
    [workflow, mine.parts, mine.total],
    'next_due',
  );
  return rows[0]?.ms ?? null;
}
