/**
 * SQL statements of a scan's event history, one function each. Which events are recorded when is in
 * scan-events.ts.
 */
import type { Queryable, Tx } from '../../db/database.ts';
import { sanitizeJson } from '../../db/sanitize.ts';
import { hashOf, slotOf } from '../../events/hash.ts';
import type { ScanEvent } from './scan-workflow.ts';

/** Sums from the shard's own row are added on insert. */
type WithoutShardSums<Event> = Event extends { listed: number } ? Omit<Event, 'listed' | 'bytes'> : Event;
export type ScanEventInput = WithoutShardSums<ScanEvent>;

/**
 * Locks the scan's history until the transaction ends: no other transaction can append. Creates it if
 * needed.
 */
export async function lockHistory(tx: Tx, scan: number): Promise<void> {
  await tx.query(
    `insert into workflow (tenant, name, id, hash, version)
     select tenant, 'scan', id::text, $2, 0 from scan where id = $1
     on conflict (tenant, name, id) do update set version = workflow.version`,
    [scan, String(hashOf(String(scan)))],
  );
}

/** May occur only once in a history. */
const ONCE = 'started';

/** Whether the start was recorded. The answer is only stable while the history is locked. */
export async function hasStarted(db: Queryable, scan: number): Promise<boolean> {
  const { rowCount } = await db.query(
    `select 1 from scan
     join workflow on workflow.tenant = scan.tenant and workflow.name = 'scan' and workflow.id = scan.id::text
     join event on event.workflow_key = workflow.key and event.command_id = '${ONCE}'
     where scan.id = $1`,
    [scan],
  );
  return rowCount > 0;
}

/**
 * Appends at the next version without a version check: these events record facts and decide nothing.
 * `status` null keeps the workflow's status.
 */
export async function insertScanEvents(
  tx: Tx,
  scan: number,
  events: readonly ScanEventInput[],
  status: string | null,
): Promise<void> {
  const hash = hashOf(String(scan));
  await tx.query(
    `with head as (
       insert into workflow (tenant, name, id, hash, version, status)
       select tenant, 'scan', id::text, $2, $4, coalesce($5, 'running') from scan where id = $1
       on conflict (tenant, name, id) do update
         set version = workflow.version + $4, status = coalesce($5, workflow.status), changed_at = clock()
       returning key, version)
     insert into event (workflow_key, version, workflow, slot, hash, type, data, command_id)
     select head.key, head.version - $4 + told.n, 'scan', $3, $2, told.type,
            case when shard.lease_id is null then told.data
                 else (told.data::jsonb || jsonb_build_object('listed', shard.listed, 'bytes', shard.bytes_read))::json end,
            case told.type when '${ONCE}' then '${ONCE}' end
     from head
     cross join unnest($6::text[], $7::json[], $8::bigint[]) with ordinality as told(type, data, shard, n)
     left join shard on shard.lease_id = told.shard
     order by told.n`,
    [
      scan,
      String(hash),
      slotOf(hash),
      events.length,
      status,
      events.map(({ type }) => type),
      events.map(({ type, ...data }) => sanitizeJson(data)),
      events.map((event) => (isEndOfShard(event) ? event.shard : null)),
    ],
    'tell',
  );
}

function isEndOfShard(event: ScanEventInput) {
  return event.type === 'shardCompleted' || event.type === 'shardFailed';
}

export interface StoredScanEvent {
  readonly version: number;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly secondsAgo: number;
}

/** The latest events, in order. */
export async function latestScanEvents(db: Queryable, scan: number, max: number): Promise<StoredScanEvent[]> {
  const { rows } = await db.query<StoredScanEvent>(
    `select event.version, event.type, event.data,
            extract(epoch from clock() - event.at)::double precision as "secondsAgo"
     from scan
     join workflow on workflow.tenant = scan.tenant and workflow.name = 'scan' and workflow.id = scan.id::text
     join event on event.workflow_key = workflow.key
     where scan.id = $1
     order by event.version desc
     limit $2`,
    [scan, max],
  );
  return rows.reverse();
}

/** A scan that is being removed. */
interface RemovedScan {
  readonly tenant: string;
  readonly id: number;
}

/** A name under which histories are never queried. */
const HIDDEN = 'removed scan';

/** Hides the scan's history from queries, however long its removal takes. */
export async function hideHistory(tx: Tx, { tenant, id }: RemovedScan): Promise<void> {
  await tx.query(`update workflow set name = '${HIDDEN}' where tenant = $1 and name = 'scan' and id = $2`, [
    tenant,
    String(id),
  ]);
}

/** Deletes some of its events, then the history itself. Returns false when nothing was left. */
export async function removeHistory(tx: Tx, { tenant, id }: RemovedScan, max: number): Promise<boolean> {
  const { rowCount: events } = await tx.query(
    `delete from event where ctid = any(array(
       select event.ctid from workflow join event on event.workflow_key = workflow.key
       where workflow.tenant = $1 and workflow.name = '${HIDDEN}' and workflow.id = $2
       limit $3))`,
    [tenant, String(id), max],
  );
  if (events > 0) return true;
  const { rowCount: stories } = await tx.query(
    `delete from workflow where tenant = $1 and name = '${HIDDEN}' and id = $2`,
    [tenant, String(id)],
  );
  return stories > 0;
}
