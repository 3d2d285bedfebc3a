/** Statements for the progress of reactions, per workflow. */
import { SeineError } from '../../base/errors.ts';
import { many, type Queryable, type Tx } from '../../db/database.ts';
import type { AnyWorkflow } from '../define.ts';
import type { AssignedPartitions } from '../messages/message-store.ts';
import type { AttemptCounter } from '../user-code/counted-attempt.ts';

export interface DueReaction {
  readonly key: number;
  readonly tenant: string;
  readonly id: string;
  readonly part: number;
  readonly reacted: number;
  readonly attempts: number;
  readonly ended: boolean;
  readonly needsVersion: number;
}

/**
 * Workflows of these partitions whose reactions are due for a retry. Includes ended workflows, whose events may still have subscribers. Those that
 * need newer code are skipped.
 */
export async function dueReactions(
  db: Queryable,
  { name, version }: Pick<AnyWorkflow, 'name' | 'version'>,
  assigned: AssignedPartitions,
  max: number,
): Promise<DueReaction[]> {
  const { rows } = await db.query<DueReaction>(
    `select mine.key, mine.tenant, mine.id, mine.part, due.version as reacted, due.attempts, mine.ended,
            mine.needs_version as "needsVersion"
     from (
       select workflow_key, version, attempts, retry_at from reaction
       where retry_at <= clock() and parked_at is null
       order by retry_at) due
     cross join lateral (
       select key, tenant, id, mod(hash, $3)::integer as part, status <> 'running' as ended, needs_version from workflow
       where workflow.key = due.workflow_key and name = $1 and status <> 'paused' and mod(hash, $3) = any($2::integer[])
         and needs_version <= $5
       limit 1) mine
     order by due.retry_at
     limit $4`,
    [name, assigned.parts, assigned.total, max, version],
    'due_reactions',
  );
  return rows;
}

export interface ReactionAdvance {
  readonly key: number;
  readonly was: number;
  readonly version: number;
  /** Due at once: there are more events than one round takes. */
  readonly more: boolean;
}

/** Exactly once: on a conflict the caller must roll back, because another runner has reacted already. */
export async function advanceReactions(tx: Tx, moves: readonly ReactionAdvance[]): Promise<void> {
  const { rows } = await tx.query<{ n: number }>(
    `with moves as (select * from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::boolean[]) as m(key, was, version, more)),
     moved as (
       update reaction
       set version = moves.version, attempts = 0, retry_at = case when more then clock() end, parked_at = null, error = null
       from moves
       where workflow_key = moves.key and reaction.version = moves.was
       returning 1),
     begun as (
       insert into reaction (workflow_key, version, retry_at)
       select key, version, case when more then clock() end from moves where was = 0
       on conflict (workflow_key) do nothing
       returning 1)
     select (select count(*) from moved) + (select count(*) from begun) as n`,
    [
      moves.map(({ key }) => key),
      moves.map(({ was }) => was),
      moves.map(({ version }) => version),
      moves.map(({ more }) => more),
    ],
    'move_reactions',
  );
  if (rows[0]!.n !== moves.length) throw new ReactionConflict();
}

/**
 * Retried workflows that have no events left: a full page was the last one, or the workflow was resumed. Their events were read after those of their
 * partitions, in the same round, so none can have been missed.
 */
export async function settleReactions(
  tx: Tx,
  idle: readonly Pick<DueReaction, 'key' | 'reacted'>[],
): Promise<void> {
  await tx.query(
    `update reaction set retry_at = null
     from unnest($1::bigint[], $2::bigint[]) as idle(key, version)
     where workflow_key = idle.key and reaction.version = idle.version and retry_at <= clock() and parked_at is null`,
    [idle.map(({ key }) => key), idle.map(({ reacted }) => reacted)],
    'settle_reactions',
  );
}

export interface ReactionFailure {
  readonly key: number;
  /** The last event that succeeded. */
  readonly version: number;
  /** Failures at the event after it. */
  readonly attempts: number;
  readonly error: string;
  /** Null: parked until an operator retries it. */
  readonly delayMs: number | null;
}

export async function recordReactionFailures(tx: Tx, failures: readonly ReactionFailure[]): Promise<void> {
  await tx.query(
    `insert into reaction (workflow_key, version, attempts, retry_at, parked_at, error)
     select key, version, attempts, clock() + delay_ms * interval '1 millisecond', case when delay_ms is null then clock() end, error
     from unnest($1::bigint[], $2::bigint[], $3::text[], $4::double precision[], $5::integer[]) as s(key, version, error, delay_ms, attempts)
     on conflict (workflow_key) do update
     set version = excluded.version, retry_at = excluded.retry_at, parked_at = excluded.parked_at, error = excluded.error,
         attempts = excluded.attempts`,
    [
      failures.map(({ key }) => key),
      failures.map(({ version }) => version),
      failures.map(({ error }) => error),
      failures.map(({ delayMs }) => delayMs),
      failures.map(({ attempts }) => attempts),
    ],
  );
}

/** The error of an attempt that has not ended. */
const UNFINISHED = 'The process ended while it reacted to this event.';

/** An attempt at an event that may have crashed the process: it counts even if it does so again. */
export function countedReaction(
  db: Queryable,
  { key, version, attempts: before }: Pick<ReactionFailure, 'key' | 'version' | 'attempts'>,
): AttemptCounter {
  return {
    attempts: before,
    count: () => recordAttempt(db, key, version),
    uncount: (attempts) => uncountAttempt(db, { key, version, attempts }),
  };
}

async function recordAttempt(db: Queryable, key: number, reacted: number): Promise<number> {
  const [row] = await many<{ attempts: number }>(
    db,
    `insert into reaction (workflow_key, version, attempts, error)
     values ($1, $2, 1, $3)
     on conflict (workflow_key) do update set attempts = reaction.attempts + 1, error = excluded.error
     returning attempts`,
    [key, reacted, UNFINISHED],
  );
  return row!.attempts;
}

/** Neither a reaction nor a failure was written for the attempt, and the process survived. No effect if it was settled or another one was counted. */
async function uncountAttempt(
  db: Queryable,
  { key, version, attempts }: Pick<ReactionFailure, 'key' | 'version' | 'attempts'>,
): Promise<void> {
  await db.query(
    `update reaction set attempts = attempts - 1, error = case when attempts > 1 then error end
     where workflow_key = $1 and version = $2 and attempts = $3 and error = $4`,
    [key, version, attempts, UNFINISHED],
  );
}

/** Another runner has taken over the partition and reacted. */
export class ReactionConflict extends SeineError {
  constructor() {
    super('conflict', 'Another runner reacted to the same events.', { retry: true });
  }
}
