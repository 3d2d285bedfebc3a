/** SQL statements of budgets, one function each. The rules are described in budget.ts. */
import { maybeOne, type Queryable, type Tx } from '../../db/database.ts';
import { type Amount, type Budget, type BudgetState, type LimitName, NANOS } from './budget.ts';

/**
 * Longer gaps between reservations are not counted as work; this is the most that is counted after a
 * worker's last heartbeat.
 */
const MAX_GAP_SECONDS = 30;
/** A reservation is at most 1/64 of what is left, unless a single request needs more. */
const RESERVATION_DIVISOR = 64;

interface Row {
  max_requests: number | null;
  max_bytes: number | null;
  max_cost: number | null;
  max_seconds: number | null;
  currency: string;
  requests: number;
  bytes: number;
  cost: number;
  seconds: number;
  exhausted_limit: LimitName | null;
}

/** Replaces the limits of a lease group. Its usage is kept. */
export async function setBudget(tx: Tx, groupId: number, budget: Budget): Promise<void> {
  await tx.query(
    `insert into lease_group_budget (group_id, tenant, max_requests, max_bytes, max_cost, max_seconds, currency)
     select id, tenant, $2, $3, $4, $5, $6 from lease_group where id = $1
     on conflict (group_id) do update
     set max_requests = excluded.max_requests, max_bytes = excluded.max_bytes, max_cost = excluded.max_cost,
         max_seconds = excluded.max_seconds, currency = excluded.currency, exhausted_limit = null`,
    [
      groupId,
      budget.requests ?? null,
      budget.bytes ?? null,
      budget.cost === undefined ? null : Math.round(budget.cost * NANOS),
      budget.seconds ?? null,
      budget.currency ?? '$',
    ],
  );
}

/** Returns null if the lease group has no budget. */
export async function readBudget(db: Queryable, groupId: number): Promise<BudgetState | null> {
  const row = await maybeOne<Row>(
    db,
    `select max_requests, max_bytes, max_cost, max_seconds, currency, requests, bytes::double precision,
            cost::double precision, seconds, exhausted_limit
     from lease_group_budget where group_id = $1`,
    [groupId],
  );
  return row && stateOf(row);
}

/** Returns whether a limit is met now; `setBudget` clears a limit met under the previous limits. */
export async function isBudgetExhausted(tx: Tx, groupId: number): Promise<boolean> {
  const { rowCount } = await tx.query(
    'select from lease_group_budget where group_id = $1 and exhausted_limit is not null',
    [groupId],
  );
  return rowCount === 1;
}

/**
 * Reserves `want`, capped to a small share of what is left but at least `need`. Reserves nothing once a
 * limit was met; the state names it. Returns null if the lease group has no budget. A zero need only counts
 * elapsed time.
 */
export async function reserveBudget(
  db: Queryable,
  groupId: number,
  need: Amount,
  want: Amount,
): Promise<{ granted: Amount; state: BudgetState } | null> {
  const row = await maybeOne<Row & { got_requests: number; got_bytes: number; got_nanos: number }>(
    db,
    // The row is locked before it is read: each statement sees what the one before it left.
    `with stored as (
       select *, clock() as now, seconds + least($8, greatest(0, coalesce(extract(epoch from clock() - last_active_at), 0))) as worked
       from lease_group_budget where group_id = $1
       for update),
     judged as (
       select *, case
           when exhausted_limit is not null then exhausted_limit
           when requests + $2 > max_requests then 'requests'
           when bytes >= max_bytes and $3::bigint > 0 then 'bytes'
           when cost >= max_cost and $4::bigint > 0 then 'cost'
           when worked >= max_seconds then 'time'
         end as met
       from stored),
     granted as (
       select *,
         case when met is null then greatest($2, least($5, coalesce((max_requests - requests) / $9, $5))) else 0 end as got_requests,
         case when met is null then greatest($3, least($6, coalesce((max_bytes - bytes) / $9, $6))) else 0 end as got_bytes,
         case when met is null then greatest($4, least($7, coalesce((max_cost - cost) / $9, $7))) else 0 end as got_nanos
       from judged),
     moved as (
       update lease_group_budget
       set requests = granted.requests + got_requests, bytes = granted.bytes + got_bytes,
           cost = granted.cost + got_nanos, seconds = worked, exhausted_limit = met,
           -- Statements may come a little out of order; a clock that was set back is followed.
           last_active_at = case when now < granted.last_active_at - interval '10 s' then now
                          else greatest(granted.last_active_at, now) end
       from granted where lease_group_budget.group_id = granted.group_id)
     select max_requests, max_bytes, max_cost, max_seconds, currency, requests + got_requests as requests,
            (bytes + got_bytes)::double precision as bytes, (cost + got_nanos)::double precision as cost, worked as seconds, met as exhausted_limit,
            got_requests, got_bytes, got_nanos
     from granted`,
    [
      groupId,
      ...[need.requests, need.bytes, need.nanos],
      ...[want.requests, want.bytes, want.nanos],
      MAX_GAP_SECONDS,
      RESERVATION_DIVISOR,
    ],
  );
  if (!row) return null;
  const granted = { requests: row.got_requests, bytes: row.got_bytes, nanos: row.got_nanos };
  return { granted, state: stateOf(row) };
}

/** Must not be retried when the reply is lost: releasing twice would count too little usage. */
export async function releaseBudget(db: Queryable, groupId: number, unused: Amount): Promise<void> {
  await db.query(
    `update lease_group_budget set requests = requests - $2, bytes = bytes - $3, cost = cost - $4 where group_id = $1`,
    [groupId, unused.requests, unused.bytes, unused.nanos],
  );
}

function stateOf(row: Row): BudgetState {
  return {
    limits: {
      ...(row.max_requests !== null && { requests: row.max_requests }),
      ...(row.max_bytes !== null && { bytes: row.max_bytes }),
      ...(row.max_cost !== null && { cost: row.max_cost / NANOS, currency: row.currency }),
      ...(row.max_seconds !== null && { seconds: row.max_seconds }),
    },
    used: { requests: row.requests, bytes: row.bytes, cost: row.cost / NANOS, seconds: row.seconds },
    exhaustedLimit: row.exhausted_limit,
  };
}
