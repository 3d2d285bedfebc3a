/** SQL statements of a bucket in PostgreSQL, one function each. The algorithm is described in limit.ts. */
import type { Queryable } from '../../db/database.ts';
import type { LimiterReply } from './bucket.ts';
import {
  DECREASE_EVERY_MS,
  HORIZON_MS,
  type Limit,
  MAX_PAUSE_MS,
  MIN_RATE_SHARE,
  RECOVERY_MS,
} from './limit.ts';

/**
 * Takes a slot of the schedule, if one starts within the horizon. Returns null when there is no such bucket
 * yet.
 */
export async function takeTokens(
  db: Queryable,
  quota: string,
  limit: Limit,
  tokens: number,
): Promise<LimiterReply | null> {
  const { rows } = await db.query<{ tokens: number; in_ms: number; per_second: number }>(
    // The row is locked before it is read: each statement sees what the one before it left.
    `with settings as (
       select $2::int as wanted, $3::float8 as full_rate, $4::float8 * interval '1 ms' as ahead,
              $5::float8 * interval '1 ms' as horizon, $6::float8 * interval '1 ms' as longest_pause,
              $7::float8 as recovery_seconds, clock() as now),
     stored as (
       select quota, theoretical_arrival_at, rate, least(decreased_at, now) as decreased_at,
              least(paused_until, now + longest_pause) as paused_until
       from token_bucket, settings
       where quota = $1
       for update of token_bucket),
     rated as (
       select *, least(full_rate, rate + full_rate / recovery_seconds
                * greatest(0, extract(epoch from now - greatest(decreased_at, paused_until)))) as rate_now
       from stored, settings),
     sized as (
       select *, least(wanted, greatest(1, floor(rate_now * extract(epoch from ahead))))::int as n,
              greatest(now, least(theoretical_arrival_at, greatest(now, paused_until) + horizon
                + greatest(ahead, interval '1 s' / rate_now))) as base
       from rated),
     slot as (
       select *, base + n / rate_now * interval '1 s' as ends,
              greatest(now, least(base + n / rate_now * interval '1 s' - ahead, base)) as usable_at
       from sized),
     moved as (
       update token_bucket
       set theoretical_arrival_at = case when slot.usable_at <= slot.now + slot.horizon then slot.ends else slot.base end,
           decreased_at = slot.decreased_at, paused_until = slot.paused_until
       from slot where token_bucket.quota = slot.quota)
     select case when usable_at <= now + horizon then n else 0 end as tokens,
            extract(epoch from usable_at - now)::float8 * 1000 as in_ms, rate_now as per_second
     from slot`,
    [quota, tokens, limit.perSecond, limit.aheadMs, HORIZON_MS, MAX_PAUSE_MS, RECOVERY_MS / 1000],
  );
  const row = rows[0];
  return row ? { tokens: row.tokens, inMs: row.in_ms, perSecond: row.per_second } : null;
}

/** Creates an empty bucket: the first slot has to be waited for. */
export async function createBucket(db: Queryable, quota: string, limit: Limit): Promise<void> {
  await db.query(
    `insert into token_bucket (quota, theoretical_arrival_at, rate, decreased_at, paused_until)
     values ($1, clock() + $3 * interval '1 ms', $2, clock() - $4 * interval '1 ms', '-infinity')
     on conflict (quota) do nothing`,
    [quota, limit.perSecond, limit.aheadMs, DECREASE_EVERY_MS],
  );
}

/**
 * Halves the rate, unless that was just done, and moves the schedule past the pause. Returns false if there
 * is no such bucket.
 */
export async function decreaseBucketRate(
  db: Queryable,
  quota: string,
  limit: Limit,
  pauseMs: number,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `with settings as (
       select $2::float8 as full_rate, $3::float8 * interval '1 ms' as ahead, $4::float8 as slowest,
              $5::float8 as recovery_seconds, $6::float8 * interval '1 ms' as cut_every,
              $7::float8 * interval '1 ms' as pause, $8::float8 * interval '1 ms' as longest_pause, clock() as now),
     stored as (
       select quota, theoretical_arrival_at, rate, least(decreased_at, now) as decreased_at,
              least(paused_until, now + longest_pause) as paused_until
       from token_bucket, settings
       where quota = $1
       for update of token_bucket),
     judged as (
       select *, now >= greatest(paused_until, decreased_at + cut_every) as due,
              greatest(paused_until, case when pause > interval '0' then now + least(pause, longest_pause) end) as pause_ends,
              least(full_rate, rate + full_rate / recovery_seconds
                * greatest(0, extract(epoch from now - greatest(decreased_at, paused_until)))) as rate_now
       from stored, settings)
     update token_bucket
     set rate = case when due then greatest(full_rate * slowest, rate_now / 2) else judged.rate end,
         decreased_at = case when due then now else judged.decreased_at end,
         paused_until = pause_ends,
         theoretical_arrival_at = greatest(judged.theoretical_arrival_at, greatest(now, pause_ends) + ahead)
     from judged where token_bucket.quota = judged.quota`,
    [
      quota,
      limit.perSecond,
      limit.aheadMs,
      MIN_RATE_SHARE,
      RECOVERY_MS / 1000,
      DECREASE_EVERY_MS,
      pauseMs,
      MAX_PAUSE_MS,
    ],
  );
  return rowCount > 0;
}
