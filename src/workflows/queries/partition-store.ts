/** SQL statements for the status of readers. A reader's offset is the cursor of its lease (events/offset.ts). */
import { many, type Queryable } from '../../db/database.ts';
import type { Mode } from '../partitions/partitioning-store.ts';

export interface ReaderSummary {
  readonly workflow: string;
  readonly mode: Mode;
  readonly epoch: number;
  readonly total: number;
  readonly part: number;
  readonly name: string;
  readonly xid: string;
  readonly position: string;
  /** Unread events of its partition; equal to the limit, there may be more. */
  readonly lag: number;
  /** Age of the oldest unread event; null: none. */
  readonly waitingSeconds: number | null;
  readonly holder: string | null;
  readonly host: string | null;
  readonly pid: number | null;
  readonly expiresAt: Date | null;
}

/** The readers of all partitionings, or of one workflow. Their lag is counted up to a limit. */
export function listReaders(db: Queryable, workflow: string | null, limit: number): Promise<ReaderSummary[]> {
  return many<ReaderSummary>(
    db,
    `select place.workflow, place.mode, place.epoch, place.total, place.part, place.name, place.xid, place.position::text as position,
            consumer_lag(place, $2) as lag,
            extract(epoch from clock() - oldest_unread_at(place))::double precision as "waitingSeconds",
            held.holder, split_part(worker.host, '/', 1) as host, worker.pid, held.expires_at as "expiresAt"
     from reader_offset place
     join reader on reader.lease_id = place.lease_id
     left join range_lease held on held.id = place.lease_id and held.state = 'held' and held.expires_at >= clock()
     left join worker on worker.id = held.holder
     where $1::text is null or place.workflow = $1
     order by place.workflow, place.part`,
    [workflow, limit],
  );
}

/** Events of the last minute, counted up to a limit for each slot, from the end of the log backward. */
export function recentEvents(
  db: Queryable,
  workflows: readonly string[],
  limit: number,
): Promise<{ workflow: string; events: number }[]> {
  return many(
    db,
    `select kind.workflow, (
       select count(*) filter (where last.at > clock() - interval '1 minute')
       from generate_series(0, 255) as slots(slot), lateral (
         select at from event
         where event.workflow = kind.workflow and event.slot = slots.slot
         order by event.xid desc, event.position desc
         limit $2 / 100) last) as events
     from unnest($1::text[]) as kind(workflow)`,
    [workflows, limit],
  );
}

/** Due messages and actions, and running actions, counted up to a limit. */
export interface PendingWork {
  readonly workflow: string;
  readonly messages: number;
  readonly actions: number;
  readonly runningActions: number;
}

export function countPendingWork(
  db: Queryable,
  workflows: readonly string[],
  limit: number,
): Promise<PendingWork[]> {
  return many<PendingWork>(
    db,
    `select kind.workflow,
            (select count(*) from (
               select from message
               where message.workflow = kind.workflow and parked_at is null and due_at <= clock()
               limit $2) due) as messages,
            (select count(*) from (
               select from action
               where action.workflow = kind.workflow and state = 'waiting' and due_at <= clock()
               limit $2) due) as actions,
            (select count(*) from (
               select from action where action.workflow = kind.workflow and state = 'running' limit $2) running) as "runningActions"
     from unnest($1::text[]) as kind(workflow)`,
    [workflows, limit],
  );
}

export interface RunnerSummary {
  readonly id: string;
  readonly host: string;
  readonly pid: number;
  readonly version: string;
  readonly workflows: readonly string[];
  /** The version of the code of each workflow, in order; empty: not reported, which means version 1. */
  readonly versions: readonly number[];
  /** Partitions it holds, of all its workflows. */
  readonly parts: number;
  /** Actions it runs. */
  readonly actions: number;
  readonly startedAt: Date;
  readonly seenAt: Date;
}

export function listRunners(db: Queryable, workflow: string | null): Promise<RunnerSummary[]> {
  return many<RunnerSummary>(
    db,
    `select worker.id, split_part(worker.host, '/', 1) as host, worker.pid, worker.version, worker.workflows, worker.workflow_versions as versions,
            (select count(*) from range_lease as lease join reader on reader.lease_id = lease.id
             where lease.holder = worker.id and lease.state = 'held' and lease.expires_at >= clock()) as parts,
            (select count(*) from action
             where action.workflow = any(worker.workflows) and action.state = 'running' and action.holder = worker.id) as actions,
            worker.started_at as "startedAt", worker.heartbeat_at as "seenAt"
     from worker
     where role = 'workflows' and ($1::text is null or $1 = any(workflows))
     order by worker.started_at, worker.id`,
    [workflow],
  );
}

export interface VersionBacklog {
  readonly workflow: string;
  /** The version of the code they need. */
  readonly version: number;
  readonly workflows: number;
  /** Live runners that have at least this version. */
  readonly runners: number;
}

/** A runner without a heartbeat for this long counts as gone; heartbeats are sent every 2 s. */
const LIVE_MS = 15_000;

/**
 * Workflows that wait for newer code: their reactions were deferred, or they have due messages or actions that no live runner may process. Messages
 * and actions are checked up to a limit, those due first; the others follow as these are processed.
 */
export function listVersionBacklog(
  db: Queryable,
  workflows: readonly string[],
  limit: number,
): Promise<VersionBacklog[]> {
  return many<VersionBacklog>(
    db,
    `with live as (
       select kind.workflow, coalesce(workflow_versions[array_position(workflows, kind.workflow)], 1) as version
       from unnest($1::text[]) as kind(workflow)
       join worker on kind.workflow = any(worker.workflows) and role = 'workflows' and is_recent(heartbeat_at, $3)),
     highest as (
       select kind.workflow, coalesce(max(live.version), 0) as version
       from unnest($1::text[]) as kind(workflow) left join live using (workflow)
       group by kind.workflow),
     waiting as (
       select workflow, needs_version, workflow_key as key from deferred_reaction where workflow = any($1::text[])
       union
       select highest.workflow, w.needs_version, w.key
       from highest cross join lateral (
         select tenant, workflow_id from message
         where message.workflow = highest.workflow and due_at <= clock() and parked_at is null
         order by due_at, id
         limit $2) m
       join workflow w on w.tenant = m.tenant and w.name = highest.workflow and w.id = m.workflow_id
       where highest.version > 0 and w.needs_version > highest.version
       union
       select highest.workflow, w.needs_version, w.key
       from highest cross join lateral (
         select workflow_key from action
         where action.workflow = highest.workflow and state = 'waiting' and due_at <= clock()
         order by due_at, action.id
         limit $2) a
       join workflow w on w.key = a.workflow_key
       where highest.version > 0 and w.needs_version > highest.version)
     select workflow, needs_version as version, count(*) as workflows,
            (select count(*) from live where live.workflow = waiting.workflow and live.version >= needs_version) as runners
     from waiting
     group by workflow, needs_version
     order by workflow, needs_version`,
    [workflows, limit, LIVE_MS],
  );
}

const ANY_VERSION = 32_767;

/** The remaining work for the runners of these workflows, from one snapshot. */
export interface RemainingWork {
  /** Unread events. */
  readonly unread: boolean;
  readonly reactions: boolean;
  readonly messages: boolean;
  readonly actions: boolean;
}

/**
 * Work that needs newer code than `versions` (of these workflows, in order; default: any code) does not count. One statement: work that moves from one
 * state to another does so in one transaction, and would be missed between two statements.
 */
export async function readRemainingWork(
  db: Queryable,
  workflows: readonly string[],
  partition: { readonly index: number; readonly total: number } | null,
  versions: readonly number[] = workflows.map(() => ANY_VERSION),
): Promise<RemainingWork> {
  const [left] = await many<RemainingWork>(
    db,
    `with kind as (select * from unnest($1::text[], $4::smallint[]) as k(name, version)),
     place as (
       select workflow, consumer_lag(reader_offset, 1) as unread from reader_offset
       where workflow = any($1::text[]) and ($2::integer is null or part = $2)
         and exists (select from reader where reader.lease_id = reader_offset.lease_id))
     select (select count(distinct workflow) < cardinality($1::text[]) or coalesce(max(unread), 0) > 0 from place) as unread,
            exists (
              select from reaction join workflow on workflow.key = reaction.workflow_key join kind on kind.name = workflow.name
              where reaction.retry_at is not null and reaction.parked_at is null and needs_version <= kind.version
                and workflow.status = 'running' and ($2::integer is null or mod(workflow.hash, $3) = $2))
            or exists (
              select from deferred_reaction deferred
              join workflow on workflow.key = deferred.workflow_key join kind on kind.name = deferred.workflow
              left join reaction on reaction.workflow_key = deferred.workflow_key
              where workflow.needs_version <= kind.version and workflow.status <> 'paused' and parked_at is null
                and ($2::integer is null or mod(deferred.hash, $3) = $2)) as reactions,
            exists (
              select from message
              where message.workflow = any($1::text[]) and parked_at is null and due_at <= clock()
                and ($2::integer is null or mod(hash, $3) = $2)
                and coalesce((
                  select needs_version from workflow w
                  where w.tenant = message.tenant and w.name = message.workflow and w.id = message.workflow_id
                  limit 1), 1) <= (select kind.version from kind where kind.name = message.workflow)) as messages,
            exists (
              select from action join workflow on workflow.key = action.workflow_key join kind on kind.name = action.workflow
              where action.workflow = any($1::text[]) and action.state in ('waiting', 'running')
                and workflow.status = 'running' and (action.state = 'running' or needs_version <= kind.version)) as actions`,
    [workflows, partition?.index ?? null, partition?.total ?? 1, versions],
  );
  return left!;
}
