/** Reads the log: by partition for readers, by workflow for its history. */
import { SeineError } from '../base/errors.ts';
import { many, type Queryable } from '../db/database.ts';
import type { LoggedEvent, StoredEvent } from './event.ts';
import type { Offset } from './offset.ts';

interface EventRow {
  xid: string | null;
  position: string;
  workflow_key: number;
  version: number;
  workflow: string;
  type: string;
  schema: number;
  data: Record<string, unknown>;
  tags: string[];
  at: Date;
  trace: string | null;
  tenant: string;
  id: string;
  part: number;
}

interface ProgressRow extends EventRow {
  settled: boolean;
  due: boolean;
  status: string;
  reacted: number;
  attempts: number;
  waits: boolean;
  needs_version: number;
}

/** A partition, and the committed offset of its reader. */
export interface PartitionOffset {
  readonly part: number;
  readonly offset: Offset;
}

export interface PartitionEvent extends LoggedEvent {
  readonly part: number;
}

/** How far the reactions of a workflow are, as of the statement that read its event. */
export interface ReactionProgress {
  readonly status: string;
  /** The last event reacted to; 0: none. */
  readonly reacted: number;
  readonly attempts: number;
  /** Delayed or failed: retried when due, or when an operator retries it. */
  readonly waits: boolean;
  /** The minimum code version that may react. */
  readonly needsVersion: number;
}

export interface EventWithProgress extends PartitionEvent {
  readonly progress: ReactionProgress;
}

/** What a reactor needs to know for one round, of one snapshot. */
export interface PartitionRead {
  readonly events: EventWithProgress[];
  /** Reactions may be due for a retry, or deferred by older code. */
  readonly hasDue: boolean;
  /** No transaction was in progress, so no committed event was hidden from this read. */
  readonly isSettled: boolean;
}

/** What a reader of several kinds needs to know for one round, of one snapshot. */
export interface KindsRead {
  readonly events: PartitionEvent[];
  /** As of a `PartitionRead`. */
  readonly isSettled: boolean;
}

/** The columns of a round, also without an event. */
const ROUND = `
  select pg_snapshot_xmin(snapshot) = pg_snapshot_xmax(snapshot) as settled,
         exists (select from reaction where retry_at <= clock() and parked_at is null)
           or exists (select from deferred_reaction where workflow = $1) as due
  from pg_current_snapshot() as snapshot
  where (select require_own_log())`;

const SETTLED = `
  select pg_snapshot_xmin(snapshot) = pg_snapshot_xmax(snapshot) as settled
  from pg_current_snapshot() as snapshot
  where (select require_own_log())`;

const PROGRESS = `
  workflow.status, workflow.needs_version, coalesce(reaction.version, 0) as reacted, coalesce(reaction.attempts, 0) as attempts,
  reaction.parked_at is not null or reaction.retry_at is not null as waits`;

/**
 * The next events of each of these slots: at most `each` of one slot and `most` in all, in order within
 * each.
 */
export async function readSlots(
  db: Queryable,
  workflow: string,
  positions: readonly PartitionOffset[],
  limit: { readonly each: number; readonly max: number },
): Promise<PartitionRead> {
  const { rows } = await db.query<ProgressRow>(
    `select round.settled, round.due, found.*
     from (${ROUND}) as round
     left join lateral (
       select e.xid, e.position::text as position, e.workflow_key, e.version, e.workflow, e.type, e.schema, e.data, e.tags, e.at, e.trace,
              workflow.tenant, workflow.id, place.slot as part, place.n, ${PROGRESS}
       from unnest($2::smallint[], $3::xid8[], $4::bigint[]) with ordinality as place(slot, xid, position, n)
       cross join lateral (
         select * from event
         where event.workflow = $1 and event.slot = place.slot
           and (event.xid, event.position) > (place.xid, place.position)
           and event.xid < pg_snapshot_xmin(pg_current_snapshot())
         order by event.xid, event.position
         limit $5) e
       join workflow on workflow.key = e.workflow_key
       left join reaction on reaction.workflow_key = e.workflow_key
       order by place.n, e.xid, e.position
       limit $6) found on true
     order by found.n, found.xid, found.position::bigint`,
    [workflow, ...columns(positions), limit.each, limit.max],
    'read_slots_round',
  );
  return roundOf(rows);
}

/**
 * The next events of one of `total` partitions. The number is a literal in the statement: otherwise the
 * index of its partitioning would not be used.
 */
export async function readPartition(
  db: Queryable,
  workflow: string,
  at: PartitionOffset,
  total: number,
  limit: number,
): Promise<PartitionRead> {
  const { rows } = await db.query<ProgressRow>(
    `select round.settled, round.due, found.*
     from (${ROUND}) as round
     left join lateral (
       select e.xid, e.position::text as position, e.workflow_key, e.version, e.workflow, e.type, e.schema, e.data, e.tags, e.at, e.trace,
              workflow.tenant, workflow.id, $4::integer as part, ${PROGRESS}
       from (
         select * from event
         where event.workflow = $1 and ${partitionExpression(total)} = $4
           and (event.xid, event.position) > ($2::xid8, $3::bigint)
           and event.xid < pg_snapshot_xmin(pg_current_snapshot())
         order by event.xid, event.position
         limit $5) e
       join workflow on workflow.key = e.workflow_key
       left join reaction on reaction.workflow_key = e.workflow_key) found on true
     order by found.xid, found.position::bigint`,
    [workflow, String(at.offset.xid), String(at.offset.position), at.part, limit],
    `read_partition_round_${total}`,
  );
  return roundOf(rows);
}

/**
 * What comes next of several kinds of workflows, in the order of the log. One statement: with a snapshot for each kind, an event of the first kind
 * could become readable between two reads, and the reader would pass it with a later event of another kind.
 */
export async function readKinds(
  db: Queryable,
  workflows: readonly string[],
  after: Offset,
  max: number,
): Promise<KindsRead> {
  const { rows } = await db.query<EventRow & { settled: boolean }>(
    `select round.settled, found.*
     from (${SETTLED}) as round
     left join lateral (
       select e.xid, e.position::text as position, e.workflow_key, e.version, e.workflow, e.type, e.schema, e.data, e.tags, e.at, e.trace,
              workflow.tenant, workflow.id, 0 as part
       from (
         select next.* from unnest($1::text[]) as kind(name)
         cross join lateral (
           select * from event
           where event.workflow = kind.name and ${partitionExpression(1)} = 0
             and (event.xid, event.position) > ($2::xid8, $3::bigint)
             and event.xid < pg_snapshot_xmin(pg_current_snapshot())
           order by event.xid, event.position
           limit $4) next
         order by next.xid, next.position
         limit $4) e
       join workflow on workflow.key = e.workflow_key) found on true
     order by found.xid, found.position::bigint`,
    [workflows, String(after.xid), String(after.position), max],
    'read_kinds_round',
  );
  const events = rows[0]!.xid === null ? [] : rows.map(found);
  return { events, isSettled: rows[0]!.settled };
}

/**
 * The expression for the partition of an event: statements and the index of a partitioning must use the
 * same.
 */
export function partitionExpression(total: number): string {
  if (!Number.isInteger(total)) throw new SeineError('internal', `There are no ${total} partitions.`);
  return `mod(hash, ${total})`;
}

/** Events of one workflow after a version, in order. */
export async function readWorkflow(
  db: Queryable,
  workflowKey: number,
  after: number,
  limit: number,
): Promise<StoredEvent[]> {
  const rows = await many<EventRow>(
    db,
    `select workflow_key, version, type, schema, data, tags, at, trace from event
     where workflow_key = $1 and version > $2
     order by version
     limit $3`,
    [workflowKey, after, limit],
  );
  return rows.map(storedOf);
}

/** A range of a workflow's history: the events after one version, up to another. */
export interface VersionRange {
  readonly key: number;
  readonly after: number;
  readonly upTo: number;
}

/** Ranges of many workflows, each in order; at most `each` events of one, the rest is omitted. */
export async function readVersionRanges(
  db: Queryable,
  ranges: readonly VersionRange[],
  each: number,
): Promise<StoredEvent[]> {
  const { rows } = await db.query<EventRow>(
    `select e.workflow_key, e.version, e.type, e.schema, e.data, e.tags, e.at, e.trace
     from unnest($1::bigint[], $2::bigint[], $3::bigint[]) as range(key, after, up_to)
     cross join lateral (
       select * from event
       where event.workflow_key = range.key and event.version > range.after and event.version <= range.up_to
       order by event.version
       limit $4) e
     order by e.workflow_key, e.version`,
    [ranges.map(({ key }) => key), ranges.map(({ after }) => after), ranges.map(({ upTo }) => upTo), each],
    'read_version_ranges',
  );
  return rows.map(storedOf);
}

/**
 * The last stable offset: every transaction before it has committed or was rolled back. A reader that found
 * nothing may continue from here, so that it does not scan the same empty range again.
 */
export async function readLastStableOffset(db: Queryable): Promise<Offset> {
  const [row] = await many<{ xid: string }>(
    db,
    'select pg_snapshot_xmin(pg_current_snapshot()) as xid where (select require_own_log())',
  );
  return { xid: BigInt(row!.xid) - 1n, position: 2n ** 63n - 1n };
}

function columns(positions: readonly PartitionOffset[]) {
  return [
    positions.map(({ part }) => part),
    positions.map(({ offset }) => String(offset.xid)),
    positions.map(({ offset }) => String(offset.position)),
  ];
}

function storedOf(row: EventRow): StoredEvent {
  const { version, type, schema, data, tags, at, trace } = row;
  return { workflowKey: row.workflow_key, version, type, schema, data, tags, at, trace };
}

/** One row without an event if there are none. */
function roundOf(rows: readonly ProgressRow[]): PartitionRead {
  const { settled, due } = rows[0]!;
  const events =
    rows[0]!.xid === null ? [] : rows.map((row) => ({ ...found(row), progress: progressOf(row) }));
  return { events, hasDue: due, isSettled: settled };
}

function progressOf({ status, reacted, attempts, waits, needs_version }: ProgressRow): ReactionProgress {
  return { status, reacted, attempts, waits, needsVersion: needs_version };
}

function found(row: EventRow): PartitionEvent {
  const offset = { xid: BigInt(row.xid!), position: BigInt(row.position) };
  const { tenant, workflow, id, part } = row;
  return { ...storedOf(row), offset, tenant, workflow, id, part };
}
