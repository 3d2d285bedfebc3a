/**
 * A scan's life, told in the event log: the workflow `scan`, its id the scan's number. What happens to a scan is told in the
 * transaction that does it, so the log says what the tables say: a crash leaves both or neither.
 *
 * Locks: leases, then their work, then the scan, and last of all the head of its story. Whoever changes a scan collects what there is
 * to tell, and `telling` writes it when everything else is done: who holds a head has nothing left to wait for but the heads of later
 * scans, so nobody waits in a circle, and a head is held for no longer than its own statement and the commit. Those who end or split
 * shards of one scan have queued at its work's row before; at the head they meet only those who did without: a plan, a first checkpoint,
 * the end of the scan.
 */
import type { Database, Queryable, Tx } from '../db/database.ts';
import { storableJson } from '../db/storable.ts';
import { hashOf, slotOf } from '../events/hash.ts';
import type { ScanEvent } from './scan-workflow.ts';

/** What the shard's own row says is added when it is written. */
type WithoutSums<Event> = Event extends { listed: number } ? Omit<Event, 'listed' | 'bytes'> : Event;
export type ToldEvent = WithoutSums<ScanEvent>;
export type Tell = (scan: number, event: ToldEvent) => void;

/** A transaction and what is to be told of it. If it is rolled back, nothing is. */
export function telling<T>(db: Database, work: (tx: Tx, tell: Tell) => Promise<T>): Promise<T> {
  return db.tx(async (tx) => {
    const told: [scan: number, event: ToldEvent][] = [];
    const answer = await work(tx, (...one) => void told.push(one));
    const byScan = Map.groupBy(told, ([scan]) => scan);
    for (const scan of [...byScan.keys()].sort((a, b) => a - b))
      await appendScanEvents(
        tx,
        scan,
        byScan.get(scan)!.map(([, event]) => event),
      );
    return answer;
  });
}

/** Right before the commit: nothing may be locked after it. */
async function appendScanEvents(tx: Tx, scan: number, told: readonly ToldEvent[]): Promise<void> {
  const begins = told.some(({ type }) => type === 'started');
  const events =
    begins && (await hasStarted(tx, scan)) ? told.filter(({ type }) => type !== 'started') : told;
  if (events.length > 0) await insertEvents(tx, scan, events);
}

/** Which of its events may stand there only once. Two may believe that they are the first. */
const ONCE = 'started';

/** Whoever asks holds the head: after it nobody else can have begun the scan. */
async function hasStarted(tx: Tx, scan: number): Promise<boolean> {
  await tx.query(
    `insert into workflow (tenant, name, id, hash, version)
     select tenant, 'scan', id::text, $2, 0 from scan where id = $1
     on conflict (tenant, name, id) do update set version = workflow.version`,
    [scan, String(hashOf(String(scan)))],
  );
  const { rowCount } = await tx.query(
    `select 1 from scan
     join workflow on workflow.tenant = scan.tenant and workflow.name = 'scan' and workflow.id = scan.id::text
     join event on event.workflow_key = workflow.key and event.command_id = '${ONCE}'
     where scan.id = $1`,
    [scan],
  );
  return rowCount > 0;
}

/** The version is whatever comes next: who tells has seen that it is so, and has nothing to decide. */
async function insertEvents(tx: Tx, scan: number, events: readonly ToldEvent[]): Promise<void> {
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
      statusAfter(events),
      events.map(({ type }) => type),
      events.map(({ type, ...data }) => storableJson(data)),
      events.map((event) => (isEndOfShard(event) ? event.shard : null)),
    ],
    'tell',
  );
}

function isEndOfShard(event: ToldEvent) {
  return event.type === 'shardCompleted' || event.type === 'shardFailed';
}

/** How the workflow of a scan stands after these, for whoever lists workflows; null: as before. */
function statusAfter(events: readonly ToldEvent[]): string | null {
  return events.map(statusOf).findLast((status) => status !== null) ?? null;
}

function statusOf(event: ToldEvent): string | null {
  switch (event.type) {
    case 'paused':
    case 'interrupted':
      return 'paused';
    case 'requested':
    case 'resumed':
    case 'reopened':
    case 'finalizing':
      return 'running';
    case 'finalized':
      return event.status === 'cancelled' ? 'cancelled' : 'completed';
    case 'failed':
      return 'completed';
    default:
      return null;
  }
}

export interface StoredScanEvent {
  readonly version: number;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly secondsAgo: number;
}

/** The latest, in the order in which they came. */
export async function latestScanEvents(
  db: Queryable,
  scan: number,
  most: number,
): Promise<StoredScanEvent[]> {
  const { rows } = await db.query<StoredScanEvent>(
    `select event.version, event.type, event.data,
            extract(epoch from clock() - event.at)::double precision as "secondsAgo"
     from scan
     join workflow on workflow.tenant = scan.tenant and workflow.name = 'scan' and workflow.id = scan.id::text
     join event on event.workflow_key = workflow.key
     where scan.id = $1
     order by event.version desc
     limit $2`,
    [scan, most],
  );
  return rows.reverse();
}

/** With scans that are forgotten. */
export async function removeStories(
  tx: Tx,
  scans: readonly { readonly tenant: string; readonly id: number }[],
): Promise<void> {
  await tx.query(
    `delete from workflow using unnest($1::text[], $2::text[]) as gone(tenant, id)
     where workflow.tenant = gone.tenant and workflow.name = 'scan' and workflow.id = gone.id`,
    [scans.map(({ tenant }) => tenant), scans.map(({ id }) => String(id))],
  );
}
