/**
 * Messages that their workflow rejected. Their sender gets no reply, so the last ones of each workflow are kept for 30 days, without their contents.
 */
import { many, type Queryable, type Tx } from '../../db/database.ts';
import { sanitizeText } from '../../db/sanitize.ts';
import type { WorkflowRef } from '../../events/event.ts';

export interface RejectedMessage extends WorkflowRef {
  readonly kind: 'command' | 'event';
  /** Type of the command. */
  readonly type: string | null;
  readonly timer: string | null;
  readonly reason: string;
}

const KEPT_OF_EACH = 20;
const KEPT_DAYS = 30;
const MAX_REASON_LENGTH = 1000;

export async function recordRejections(tx: Tx, rejected: readonly RejectedMessage[]): Promise<void> {
  const names = [
    rejected.map(({ tenant }) => tenant),
    rejected.map(({ workflow }) => workflow),
    rejected.map(({ id }) => id),
  ];
  await tx.query(
    `insert into rejected_message (tenant, workflow, workflow_id, kind, type, timer, reason)
     select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[])`,
    [
      ...names,
      rejected.map(({ kind }) => kind),
      rejected.map(({ type }) => type && sanitizeText(type).slice(0, MAX_REASON_LENGTH)),
      rejected.map(({ timer }) => timer),
      rejected.map(({ reason }) => sanitizeText(reason).slice(0, MAX_REASON_LENGTH)),
    ],
  );
  await tx.query(
    `delete from rejected_message
     using (select distinct * from unnest($1::text[], $2::text[], $3::text[]) as w(tenant, workflow, id)) w
     where rejected_message.tenant = w.tenant and rejected_message.workflow = w.workflow
       and rejected_message.workflow_id = w.id
       and rejected_message.id <= (
         select last.id from rejected_message last
         where last.tenant = w.tenant and last.workflow = w.workflow and last.workflow_id = w.id
         order by last.id desc
         offset ${KEPT_OF_EACH} limit 1)`,
    names,
  );
}

export interface RejectionSummary {
  readonly kind: 'command' | 'event';
  readonly type: string | null;
  readonly timer: string | null;
  readonly reason: string;
  readonly at: Date;
}

/** Of one workflow, the latest first. */
export function rejectionsOf(
  db: Queryable,
  { tenant, workflow, id }: WorkflowRef,
  max: number,
): Promise<RejectionSummary[]> {
  return many<RejectionSummary>(
    db,
    `select kind, type, timer, reason, at from rejected_message
     where tenant = $1 and workflow = $2 and workflow_id = $3
     order by id desc
     limit $4`,
    [tenant, workflow, id, max],
  );
}

/** Per workflow type, within the last hour, among the last 10,000 of all. */
export function recentRejections(db: Queryable): Promise<{ workflow: string; messages: number }[]> {
  return many(
    db,
    `select workflow, count(*) as messages
     from (select workflow, at from rejected_message order by id desc limit 10000) last
     where at > clock() - interval '1 hour'
     group by workflow
     order by workflow`,
  );
}

/** Deletes expired ones. Returns the number: `max` means there may be more. */
export async function deleteOldRejections(db: Queryable, max = 1000): Promise<number> {
  const { rowCount } = await db.query(
    `with first as (select id, at from rejected_message order by id limit $1)
     delete from rejected_message using first
     where rejected_message.id = first.id and first.at < clock() - interval '${KEPT_DAYS} days'`,
    [max],
  );
  return rowCount;
}
