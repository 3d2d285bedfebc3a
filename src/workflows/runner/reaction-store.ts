/** How far the reactions to each workflow's events have come: the statements. */
import { SeineError } from '../../base/errors.ts';
import { many, type Queryable, type Tx } from '../../db/database.ts';
import type { Status } from '../workflow-store.ts';

export interface Standing {
  readonly key: number;
  readonly status: Status;
  /** The last event that was reacted to; 0: none. */
  readonly reacted: number;
  readonly attempts: number;
  /** It failed, or was put off: it comes again by itself, or when somebody says so. */
  readonly waits: boolean;
}

export async function readStandings(db: Queryable, keys: readonly number[]): Promise<Map<number, Standing>> {
  const { rows } = await db.query<Standing>(
    `select key, status, coalesce(reaction.version, 0) as reacted, coalesce(attempts, 0) as attempts,
            parked_at is not null or retry_at is not null as waits
     from workflow left join reaction on workflow_key = key
     where key = any($1::bigint[])`,
    [keys],
    'standings',
  );
  return new Map(rows.map((row) => [row.key, row]));
}

/** Workflows whose reactions come again now, of these parts. */
export function dueReactions(
  db: Queryable,
  workflow: string,
  mine: { readonly parts: readonly number[]; readonly total: number },
  most: number,
): Promise<{ key: number; tenant: string; id: string; reacted: number }[]> {
  return many(
    db,
    `select workflow.key, workflow.tenant, workflow.id, reaction.version as reacted
     from reaction join workflow on workflow.key = reaction.workflow_key
     where reaction.retry_at <= clock() and reaction.parked_at is null
       and workflow.name = $1 and workflow.status = 'running' and mod(workflow.hash, $3) = any($2::integer[])
     order by reaction.retry_at
     limit $4`,
    [workflow, mine.parts, mine.total, most],
  );
}

export interface Progress {
  readonly key: number;
  readonly was: number;
  readonly version: number;
}

/** Exactly once each: whoever finds that another was there first must write nothing else either. */
export async function moveReactions(tx: Tx, moves: readonly Progress[]): Promise<void> {
  const { rows } = await tx.query<{ n: number }>(
    `with moves as (select * from unnest($1::bigint[], $2::bigint[], $3::bigint[]) as m(key, was, version)),
     moved as (
       update reaction set version = moves.version, attempts = 0, retry_at = null, parked_at = null, error = null
       from moves
       where workflow_key = moves.key and reaction.version = moves.was
       returning 1),
     begun as (
       insert into reaction (workflow_key, version)
       select key, version from moves where was = 0
       on conflict (workflow_key) do nothing
       returning 1)
     select (select count(*) from moved) + (select count(*) from begun) as n`,
    columns(moves),
    'move_reactions',
  );
  if (rows[0]!.n !== moves.length) throw new Overtaken();
}

export interface Setback extends Progress {
  readonly error: string;
  /** Null: somebody has to look at it. */
  readonly delayMs: number | null;
}

export async function putOffReactions(tx: Tx, setbacks: readonly Setback[]): Promise<void> {
  await tx.query(
    `insert into reaction (workflow_key, version, attempts, retry_at, parked_at, error)
     select key, version, 1, clock() + delay_ms * interval '1 millisecond', case when delay_ms is null then clock() end, error
     from unnest($1::bigint[], $2::bigint[], $3::text[], $4::double precision[]) as s(key, version, error, delay_ms)
     on conflict (workflow_key) do update
     set version = excluded.version, retry_at = excluded.retry_at, parked_at = excluded.parked_at, error = excluded.error,
         attempts = case when reaction.version = excluded.version then reaction.attempts + 1 else 1 end`,
    [
      setbacks.map(({ key }) => key),
      setbacks.map(({ version }) => version),
      setbacks.map(({ error }) => error),
      setbacks.map(({ delayMs }) => delayMs),
    ],
  );
}

/** Before an event is tried that may have ended the process the last time: the attempt counts even if it does so again. */
export async function noteAttempt(db: Queryable, key: number, reacted: number): Promise<number> {
  const [row] = await many<{ attempts: number }>(
    db,
    `insert into reaction (workflow_key, version, attempts, error)
     values ($1, $2, 1, 'The process ended while it reacted to this event.')
     on conflict (workflow_key) do update set attempts = reaction.attempts + 1, error = excluded.error
     returning attempts`,
    [key, reacted],
  );
  return row!.attempts;
}

/** Somebody else has reacted meanwhile: our part was taken over. */
export class Overtaken extends SeineError {
  constructor() {
    super('conflict', 'Another runner reacted to the same events.', { retry: true });
  }
}

function columns(moves: readonly Progress[]) {
  return [
    moves.map(({ key }) => key),
    moves.map(({ was }) => was),
    moves.map(({ version }) => version),
  ];
}
