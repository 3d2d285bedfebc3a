/** SQL statements for projections, one function each. The protocol is described in projection.ts. */
import { FIRST_KEY } from '../../base/key.ts';
import { many, maybeOne, type Queryable, type Tx } from '../../db/database.ts';
import { createLeaseGroup } from '../../engine/leases/lease-group-store.ts';
import { addLeases } from '../../engine/leases/lease-store.ts';
import type { AttemptCounter } from '../user-code/counted-attempt.ts';

export interface ProjectionRow {
  readonly name: string;
  readonly workflows: readonly string[];
  readonly groupId: number;
  readonly lease: number;
  readonly setup: 'init' | 'reset' | 'done';
  readonly attempts: number;
  readonly parked: boolean;
  /** Milliseconds until the retry; 0: now. */
  readonly waitMs: number;
}

export function readProjection(db: Queryable, name: string): Promise<ProjectionRow | null> {
  return maybeOne<ProjectionRow>(
    db,
    `select name, workflows, group_id as "groupId", lease_id as lease, setup, attempts, parked_at is not null as parked,
            greatest(coalesce(extract(epoch from retry_at - clock()) * 1000, 0), 0)::double precision as "waitMs"
     from projection where name = $1`,
    [name],
  );
}

/** Serialises registration, rebuild and removal until the transaction ends. */
export async function lockProjectionName(tx: Tx, name: string): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('projection ' || $1, 0))`, [name]);
}

/** A lease group with one lease, positioned before every event. */
export async function addProjectionLease(tx: Tx): Promise<{ work: number; lease: number }> {
  const work = await createLeaseGroup(tx, { tenant: '', kind: 'workflow-projection', priority: 0 });
  const [lease] = await addLeases(tx, work, [{ after: FIRST_KEY, upTo: null }]);
  return { work, lease: lease! };
}

export async function addProjection(
  tx: Tx,
  name: string,
  workflows: readonly string[],
  { work, lease }: { readonly work: number; readonly lease: number },
): Promise<void> {
  await tx.query('insert into projection (name, workflows, group_id, lease_id) values ($1, $2, $3, $4)', [
    name,
    workflows,
    work,
    lease,
  ]);
}

export async function setWorkflows(tx: Tx, name: string, workflows: readonly string[]): Promise<void> {
  await tx.query('update projection set workflows = $2, changed_at = clock() where name = $1', [
    name,
    workflows,
  ]);
}

/** Restarts it from the beginning with a new lease: the holder of the old one can write nothing more. */
export async function restartProjection(
  tx: Tx,
  name: string,
  { work, lease }: { readonly work: number; readonly lease: number },
): Promise<void> {
  await tx.query(
    `update projection
     set group_id = $2, lease_id = $3, epoch = epoch + 1, rebuild_until = pg_snapshot_xmin(pg_current_snapshot()),
         setup = case setup when 'init' then 'init' else 'reset' end,
         attempts = 0, retry_at = null, parked_at = null, error = null, at_workflow = null, at_id = null, at_version = null,
         changed_at = clock()
     where name = $1`,
    [name, work, lease],
  );
}

export async function deleteProjection(tx: Tx, name: string): Promise<void> {
  await tx.query('delete from projection where name = $1', [name]);
}

export async function recordSetup(tx: Tx, name: string): Promise<void> {
  await tx.query(`update projection set setup = 'done', changed_at = clock() where name = $1`, [name]);
}

export interface ProjectionFailure {
  readonly name: string;
  readonly lease: number;
  readonly error: string;
  /** Failures at this event. */
  readonly attempts: number;
  /** Null: init or reset failed. */
  readonly event: { readonly workflow: string; readonly id: string; readonly version: number } | null;
  /** Null: it is parked. */
  readonly delayMs: number | null;
}

/** No effect if it was rebuilt meanwhile. */
export async function recordFailure(
  db: Queryable,
  { name, lease, error, attempts, event, delayMs }: ProjectionFailure,
): Promise<void> {
  await db.query(
    `update projection
     set attempts = $8, error = $3, at_workflow = $4, at_id = $5, at_version = $6,
         retry_at = clock() + $7 * interval '1 millisecond', parked_at = case when $7 is null then clock() end, changed_at = clock()
     where name = $1 and lease_id = $2`,
    [
      name,
      lease,
      error,
      event?.workflow ?? null,
      event?.id ?? null,
      event?.version ?? null,
      delayMs,
      attempts,
    ],
  );
}

/** The error of an attempt that has not ended. */
const UNFINISHED = 'The process crashed.';

/** An attempt that may crash the process, counted in advance. */
export function countedUpdate(
  db: Queryable,
  before: Pick<ProjectionFailure, 'name' | 'lease' | 'attempts' | 'event'>,
): AttemptCounter {
  const counted = { ...before, attempts: before.attempts + 1 };
  return {
    attempts: before.attempts,
    count: async () => {
      await recordFailure(db, { ...counted, error: UNFINISHED, delayMs: 0 });
      return counted.attempts;
    },
    uncount: () => uncountAttempt(db, counted),
  };
}

/** The attempt was counted in advance, and ended without a result although the process survived. No effect if it was settled. */
async function uncountAttempt(
  db: Queryable,
  { name, lease, attempts }: Pick<ProjectionFailure, 'name' | 'lease' | 'attempts'>,
): Promise<void> {
  await db.query(
    `update projection
     set attempts = attempts - 1, error = case when attempts > 1 then error end, changed_at = clock()
     where name = $1 and lease_id = $2 and attempts = $3 and error = $4 and parked_at is null`,
    [name, lease, attempts, UNFINISHED],
  );
}

export async function clearFailure(tx: Queryable, name: string): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update projection
     set attempts = 0, retry_at = null, parked_at = null, error = null, at_workflow = null, at_id = null, at_version = null,
         changed_at = clock()
     where name = $1 and (attempts > 0 or parked_at is not null)`,
    [name],
  );
  return rowCount > 0;
}

export interface ProjectionSummary {
  readonly name: string;
  readonly workflows: readonly string[];
  readonly epoch: number;
  readonly state: 'starting' | 'running' | 'rebuilding' | 'retrying' | 'parked';
  /** Unread events, counted up to a limit for each workflow. */
  readonly lag: number;
  readonly holder: string | null;
  readonly host: string | null;
  readonly pid: number | null;
  readonly attempts: number;
  readonly parkedAt: Date | null;
  readonly error: string | null;
  readonly atWorkflow: string | null;
  readonly atId: string | null;
  readonly atVersion: number | null;
}

export function readProjectionSummaries(
  db: Queryable,
  names: readonly string[] | null,
  limit: number,
): Promise<ProjectionSummary[]> {
  return many<ProjectionSummary>(
    db,
    `select p.name, p.workflows, p.epoch,
            case when p.parked_at is not null then 'parked' when p.retry_at > clock() then 'retrying'
                 when p.setup = 'init' then 'starting'
                 when p.setup = 'reset' or behind.lag > 0 and behind.xid < p.rebuild_until then 'rebuilding'
                 else 'running' end as state,
            behind.lag, held.holder, split_part(worker.host, '/', 1) as host, worker.pid,
            p.attempts, p.parked_at as "parkedAt", p.error,
            p.at_workflow as "atWorkflow", p.at_id as "atId", p.at_version as "atVersion"
     from projection p
     left join range_lease held on held.id = p.lease_id and held.state = 'held' and held.expires_at >= clock()
     left join worker on worker.id = held.holder
     cross join lateral (
       select coalesce(sum(consumer_lag(place, $2)), 0)::bigint as lag, min(place.xid::text::bigint)::text::xid8 as xid
       from reader_offset place where place.lease_id = p.lease_id) behind
     where $1::text[] is null or p.name = any($1::text[])
     order by p.name`,
    [names, limit],
  );
}

/** Whether any of these has unread events or setup left. A parked projection waits for an operator; one without a row has not begun. */
export async function haveLag(db: Queryable, names: readonly string[]): Promise<boolean> {
  const [row] = await many<{ behind: boolean }>(
    db,
    `select exists (
       select from unnest($1::text[]) as wanted(name)
       left join projection p on p.name = wanted.name
       where p.name is null or p.parked_at is null and (p.setup <> 'done' or exists (
         select from reader_offset place where place.lease_id = p.lease_id and consumer_lag(place, 1) > 0))) as behind`,
    [names],
  );
  return row!.behind;
}

/** The number of workflows whose first events were deleted. */
export async function countIncomplete(db: Queryable, workflows: readonly string[]): Promise<number> {
  const [row] = await many<{ n: number }>(
    db,
    `select count(*) as n from workflow
     where name = any($1::text[]) and version > 0
       and not exists (select from event where workflow_key = key and event.version = 1)`,
    [workflows],
  );
  return row!.n;
}
