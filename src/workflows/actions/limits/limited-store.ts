/**
 * SQL statements that claim actions with a concurrency or rate limit. A limit counts by (workflow, action, limit key); usage is stored as rows: the
 * leases, and the time at which the token bucket is full again. Concurrent claims of one limit would not see each other's rows, so a claim takes the
 * limit's advisory lock, and counts in a statement that begins after that. An expired lease counts until it is recovered: a process whose event loop
 * was blocked can still renew it, and only recovery revokes it.
 */
import type { Queryable, Tx } from '../../../db/database.ts';
import { type ActionClaimRequest, type ClaimedAction, SELECT_CLAIMED } from '../claim-store.ts';

export interface LimitSettings {
  readonly concurrency: number | null;
  /** Capacity of the bucket in tokens, and its refill rate. */
  readonly burst: number | null;
  readonly perSecond: number | null;
}

export interface LimitedAction extends LimitSettings {
  readonly workflow: string;
  readonly name: string;
  /** The version of the workflow's code in this process. */
  readonly schema: number;
}

/** One limit: an action with a limit key. */
export interface ActionLimit extends LimitedAction {
  readonly limitKey: string;
}

export interface LimitScanPage {
  /** Per action, in the order of the given names, the last key scanned; null: scanned to the end. */
  readonly upTo: readonly (string | null)[];
  /** Limits with due actions and room for them, locked until the transaction ends. */
  readonly limits: readonly ActionLimit[];
  /** Milliseconds until the first exhausted rate with due actions has a token again; null: none is exhausted. */
  readonly tokenInMs: number | null;
  /** Another claim holds the lock of a limit that has room. */
  readonly contended: boolean;
}

/**
 * Scans the limit keys that have pending actions, some of each action, after the end of the last scan: one index entry per key, however many actions
 * wait for it.
 */
export async function lockLimits(
  tx: Tx,
  names: readonly LimitedAction[],
  after: readonly string[],
  keysOfEach: number,
): Promise<LimitScanPage> {
  const { rows } = await tx.query<{
    n: number;
    limitKey: string;
    free: boolean | null;
    tokenInMs: number | null;
  }>(
    `with recursive kind as (
       select * from unnest($1::text[], $2::text[], $3::integer[], $4::float8[], $5::float8[], $6::text[])
         with ordinality as k(workflow, name, concurrency, burst, per_second, after, n)),
     one_limit as (
       select kind.n, workflow, name, concurrency, burst, per_second, first.limit_key, 1 as nth
       from kind, lateral (
         select limit_key from action
         where action.workflow = kind.workflow and action.name = kind.name and limit_key > kind.after and state = 'waiting'
         order by limit_key
         limit 1) first
       union all
       select one_limit.n, workflow, name, concurrency, burst, per_second, next.limit_key, nth + 1
       from one_limit, lateral (
         select limit_key from action
         where action.workflow = one_limit.workflow and action.name = one_limit.name and limit_key > one_limit.limit_key and state = 'waiting'
         order by limit_key
         limit 1) next
       where nth < $7)
     select n::integer, limit_key as "limitKey",
            case when is_due and coalesce(action_room(workflow, name, limit_key, concurrency, burst, per_second), 1) > 0
            then pg_try_advisory_xact_lock(hashtextextended('action limit ' || workflow || '/' || name || '/' || limit_key, 0))
            end as free,
            case when is_due and per_second is not null then 1000 * nullif(greatest(0, (
              select extract(epoch from bucket_full_at(rate.full_at, burst, per_second) - clock())::float8 - (burst - 1) / per_second
              from action_rate rate
              where rate.workflow = one_limit.workflow and rate.name = one_limit.name and rate.limit_key = one_limit.limit_key)), 0)
            end as "tokenInMs"
     from (
       select *, exists (
           select from action
           where action.workflow = all_limits.workflow and action.name = all_limits.name and action.limit_key = all_limits.limit_key
             and state = 'waiting' and due_at <= clock()) as is_due
       from one_limit all_limits) one_limit
     order by n, limit_key`,
    [...columns(names), after, keysOfEach],
    'lock_action_limits',
  );
  const ofName = names.map((_, i) => rows.filter(({ n }) => n === i + 1));
  return {
    upTo: ofName.map((keys) => (keys.length < keysOfEach ? null : keys.at(-1)!.limitKey)),
    limits: rows.filter(({ free }) => free).map(({ n, limitKey }) => ({ ...names[n - 1]!, limitKey })),
    tokenInMs: rows.reduce<number | null>(
      (first, { tokenInMs }) => (tokenInMs === null ? first : Math.min(first ?? tokenInMs, tokenInMs)),
      null,
    ),
    contended: rows.some(({ free }) => free === false),
  };
}

/** Claims from each locked limit as many as it has room for, the oldest first. Each consumes a token. */
export async function claimLimitedActions(
  tx: Tx,
  limits: readonly ActionLimit[],
  wanted: ActionClaimRequest,
  max: number,
): Promise<ClaimedAction[]> {
  const { rows } = await tx.query<ClaimedAction>(
    `with one_limit as materialized (
       select l.*, least($9::bigint, action_room(workflow, name, limit_key, concurrency, burst, per_second)) as room
       from unnest($1::text[], $2::text[], $3::integer[], $4::float8[], $5::float8[], $6::text[], $10::smallint[])
         as l(workflow, name, concurrency, burst, per_second, limit_key, version)),
     next as (
       select free.id
       from one_limit, lateral (
         select action.id, action.due_at
         from action join workflow on workflow.key = action.workflow_key
         where action.workflow = one_limit.workflow and action.name = one_limit.name and action.limit_key = one_limit.limit_key
           and action.state = 'waiting' and action.due_at <= clock() and action.crashes < 2 and workflow.status = 'running'
           and workflow.needs_version <= one_limit.version
         order by action.due_at, action.id
         limit greatest(one_limit.room, 0)::bigint
         for update of action skip locked) free
       order by free.due_at, free.id
       limit $9::bigint),
     ${UPDATE_TAKEN}`,
    [
      ...columns(limits),
      limits.map(({ limitKey }) => limitKey),
      wanted.holder,
      wanted.ttlMs,
      max,
      limits.map(({ schema }) => schema),
    ],
    'claim_limited_actions',
  );
  return rows;
}

/**
 * Claims the rows of `next` and their tokens: $7 is the holder, $8 the lease duration. `one_limit` may name a limit several times; its bucket is
 * written once.
 */
const UPDATE_TAKEN = `taken as (
       update action
       set state = 'running', holder = $7, token = token + 1, attempts = attempts + 1, alone = false,
           expires_at = clock() + $8 * interval '1 millisecond'
       from next
       where action.id = next.id
       returning action.*),
     spent as (
       insert into action_rate (workflow, name, limit_key, full_at)
       select one_limit.workflow, one_limit.name, one_limit.limit_key,
              bucket_full_at(rate.full_at, one_limit.burst, one_limit.per_second)
                + used.n / one_limit.per_second * interval '1 second'
       from (select distinct workflow, name, limit_key, burst, per_second from one_limit) one_limit
       join (select workflow, name, limit_key, count(*) as n from taken group by 1, 2, 3) used using (workflow, name, limit_key)
       left join action_rate rate using (workflow, name, limit_key)
       where one_limit.per_second is not null
       on conflict (workflow, name, limit_key) do update set full_at = excluded.full_at)
     ${SELECT_CLAIMED}`;

/**
 * Suspects: the oldest of each limit that has room, so that a saturated limit does not block others. Skips limits whose lock is held.
 */
export async function findSuspects(tx: Tx, known: readonly LimitedAction[]): Promise<CrashSuspect[]> {
  const { rows } = await tx.query<CrashSuspect & { readonly free: boolean }>(
    `with first_of_each as materialized (
       select distinct on (action.workflow, action.name, action.limit_key, case when action.limit_key is null then action.id end)
              action.id, action.due_at, action.workflow, action.name, action.limit_key, concurrency, burst, per_second
       from action join workflow on workflow.key = action.workflow_key
       join unnest($1::text[], $2::text[], $3::integer[], $4::float8[], $5::float8[], $6::smallint[])
         as kind(workflow, name, concurrency, burst, per_second, version) on kind.workflow = action.workflow and kind.name = action.name
       where workflow.needs_version <= kind.version and action.state = 'waiting' and action.crashes >= 2 and action.due_at <= clock()
         and workflow.status = 'running'
       order by action.workflow, action.name, action.limit_key, case when action.limit_key is null then action.id end, action.due_at, action.id),
     oldest as materialized (
       select id, workflow, name, limit_key
       from first_of_each
       where limit_key is null or coalesce(action_room(workflow, name, limit_key, concurrency, burst, per_second), 1) > 0
       order by due_at, id
       limit 20)
     select id, workflow, name, limit_key as "limitKey",
            limit_key is null
              or pg_try_advisory_xact_lock(hashtextextended('action limit ' || workflow || '/' || name || '/' || limit_key, 0)) as free
     from oldest`,
    [...columns(known), known.map(({ schema }) => schema)],
  );
  return rows.filter(({ free }) => free);
}

export interface CrashSuspect {
  readonly id: number;
  readonly workflow: string;
  readonly name: string;
  readonly limitKey: string | null;
}

/** The oldest of these that has room, if any. */
export async function claimSuspect(
  tx: Tx,
  suspects: readonly (CrashSuspect & LimitSettings)[],
  wanted: ActionClaimRequest,
): Promise<ClaimedAction[]> {
  const { rows } = await tx.query<ClaimedAction>(
    `with one_limit as materialized (
       select l.*, coalesce(action_room(workflow, name, limit_key, concurrency, burst, per_second), 1) as room
       from unnest($1::text[], $2::text[], $3::integer[], $4::float8[], $5::float8[], $6::text[], $9::bigint[])
         as l(workflow, name, concurrency, burst, per_second, limit_key, id)),
     next as (
       select action.id
       from action join one_limit on one_limit.id = action.id
       where action.state = 'waiting' and action.due_at <= clock() and (action.limit_key is null or one_limit.room > 0)
       order by action.due_at, action.id
       limit 1
       for update of action skip locked),
     ${UPDATE_TAKEN}`,
    [
      ...columns(suspects),
      suspects.map(({ limitKey }) => limitKey),
      wanted.holder,
      wanted.ttlMs,
      suspects.map(({ id }) => id),
    ],
  );
  return rows;
}

/** A full bucket needs no row. */
export async function deleteFullBuckets(db: Queryable): Promise<number> {
  return (await db.query('delete from action_rate where full_at < clock()')).rowCount;
}

function columns(names: readonly Omit<LimitedAction, 'schema'>[]) {
  return [
    names.map(({ workflow }) => workflow),
    names.map(({ name }) => name),
    names.map(({ concurrency }) => concurrency),
    names.map(({ burst }) => burst),
    names.map(({ perSecond }) => perSecond),
  ];
}
