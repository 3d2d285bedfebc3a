/** How the readers of workflows get on: the statements. A reader's offset is the cursor of its lease (events/offset.ts). */
import { many, type Queryable } from '../../db/database.ts';
import type { Mode } from '../partitions/layout-store.ts';

export interface ReaderLine {
  readonly workflow: string;
  readonly mode: Mode;
  readonly epoch: number;
  readonly total: number;
  readonly part: number;
  readonly name: string;
  readonly xid: string;
  readonly position: string;
  /** Events of its part that it has not read; when it is the limit, there may be more. */
  readonly lag: number;
  readonly holder: string | null;
  readonly host: string | null;
  readonly pid: number | null;
  readonly expiresAt: Date | null;
}

/** The parts of all layouts, or of one workflow. What lies ahead of a reader is counted up to a limit. */
export function readerLines(db: Queryable, workflow: string | null, limit: number): Promise<ReaderLine[]> {
  return many<ReaderLine>(
    db,
    `select place.workflow, place.mode, place.epoch, place.total, place.part, place.name, place.xid, place.position::text as position,
            unread(place, $2) as lag,
            held.holder, split_part(worker.host, '/', 1) as host, worker.pid, held.expires_at as "expiresAt"
     from reader_place place
     join reader on reader.lease_id = place.lease_id
     left join lease held on held.id = place.lease_id and held.state = 'held' and held.expires_at >= clock()
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

export interface RunnerLine {
  readonly id: string;
  readonly host: string;
  readonly pid: number;
  readonly version: string;
  readonly workflows: readonly string[];
  /** Parts that it holds, of all its workflows. */
  readonly parts: number;
  /** Actions that it runs. */
  readonly actions: number;
  readonly startedAt: Date;
  readonly seenAt: Date;
}

export function runnerLines(db: Queryable, workflow: string | null): Promise<RunnerLine[]> {
  return many<RunnerLine>(
    db,
    `select worker.id, split_part(worker.host, '/', 1) as host, worker.pid, worker.version, worker.workflows,
            (select count(*) from lease join reader on reader.lease_id = lease.id
             where lease.holder = worker.id and lease.state = 'held' and lease.expires_at >= clock()) as parts,
            (select count(*) from action
             where action.workflow = any(worker.workflows) and action.state = 'running' and action.holder = worker.id) as actions,
            worker.started_at as "startedAt", worker.seen_at as "seenAt"
     from worker
     where role = 'workflows' and ($1::text is null or $1 = any(workflows))
     order by worker.started_at, worker.id`,
    [workflow],
  );
}

/** What is left to do for the runners of these workflows, as one moment shows it. */
export interface Left {
  /** Events that nobody has read. */
  readonly unread: boolean;
  readonly reactions: boolean;
  readonly messages: boolean;
  readonly actions: boolean;
}

/** By one statement: what moves from one to the other does so in one transaction, and is never missed between two looks. */
export async function whatIsLeft(
  db: Queryable,
  workflows: readonly string[],
  partition: { readonly index: number; readonly total: number } | null,
): Promise<Left> {
  const [left] = await many<Left>(
    db,
    `with place as (
       select workflow, unread(reader_place, 1) as unread from reader_place
       where workflow = any($1::text[]) and ($2::integer is null or part = $2)
         and exists (select from reader where reader.lease_id = reader_place.lease_id))
     select (select count(distinct workflow) < cardinality($1::text[]) or coalesce(max(unread), 0) > 0 from place) as unread,
            exists (
              select from reaction join workflow on workflow.key = reaction.workflow_key
              where reaction.retry_at is not null and reaction.parked_at is null and workflow.name = any($1::text[])
                and workflow.status = 'running' and ($2::integer is null or mod(workflow.hash, $3) = $2)) as reactions,
            exists (
              select from message
              where workflow = any($1::text[]) and parked_at is null and due_at <= clock()
                and ($2::integer is null or mod(hash, $3) = $2)) as messages,
            exists (
              select from action join workflow on workflow.key = action.workflow_key
              where action.workflow = any($1::text[]) and action.state in ('waiting', 'running')
                and workflow.status = 'running') as actions`,
    [workflows, partition?.index ?? null, partition?.total ?? 1],
  );
  return left!;
}
