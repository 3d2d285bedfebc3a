/**
 * The rate limit of a quota (a provider and a credential), shared by all workers. The schedule is a variant of GCRA.
 *
 * A bucket is a schedule. Every batch of n tokens gets a slot of n/rate seconds, one slot after the other, in the time
 * of the server that keeps the bucket:
 *
 *     base = max(freeAt, now)     ends = base + n/rate     freeAt := ends
 *     usable from max(now, min(ends - aheadMs, base)), for validMs; unused tokens then expire
 *
 * Claim: in any interval of w seconds at most `perSecond·(w + valid + ahead)` tokens are used. Take the batches used in
 * [a, a+w]: none was usable before a - valid, so no slot begins before that; none is usable later than a+w, so every slot
 * ends by a+w + ahead. The slots do not overlap, and lie in an interval of w + valid + ahead seconds. (A single token whose
 * slot is longer than `ahead`, after a slow-down, may extend past the end; it counts as one, and perSecond·ahead is at
 * least one.) Slow-downs make slots longer, never shorter. A third of the burst pays for `valid`, one for `ahead`, and the
 * last for differences in network latency: so the provider, too, counts at most `perSecond·w + burst`.
 *
 * Which clock: the slot is measured by the server (`clock()` of PostgreSQL, TIME of Redis). A worker only measures how
 * long ago it asked, with its monotonic clock: the server's "now" lies between request and reply, so waiting from
 * the reply and expiring from the request is safe, whatever either clock shows.
 *   - The server's clock goes back: freeAt would lie far ahead; it is cut to the most that can have been granted, so
 *     no worker stalls and no slot is granted twice.
 *   - It goes forward: the same as an idle period, at most one more burst.
 *
 * Crash: a worker that crashes loses at most its batch; the schedule continues. Tokens are never returned, so they can't
 * pile up. A bucket that is new, or was lost with its server, starts empty: a restart is no burst.
 *
 * Slow down (429, 503): multiplicative decrease, additive increase. The rate is halved, at most once in CUT_EVERY_MS, and
 * grows back linearly, from zero to the full rate in RECOVERY_MS. Retry-After moves freeAt behind the pause.
 */

/** Requests per second in the long run, and how many more than that in any interval. */
export interface Rate {
  readonly perSecond: number;
  readonly burst: number;
}

export interface Limit extends Rate {
  /** How far the schedule may run ahead before requests have to wait. */
  readonly aheadMs: number;
  /** Validity of a batch. */
  readonly validMs: number;
}

/**
 * Slots further ahead are not granted; the worker asks again. Otherwise tokens could be granted past a
 * pause that starts later.
 */
export const HORIZON_MS = 500;
export const DECREASE_EVERY_MS = 1000;
export const RECOVERY_MS = 60_000;
/** Longer pauses are capped: Retry-After may be wrong, and the provider will repeat it. */
export const MAX_PAUSE_MS = 300_000;
/** Lower bound of the rate, as a share of the full one, however often the provider throttles. */
export const MIN_RATE_SHARE = 1 / 64;

export function toLimit(rate: Rate): Limit {
  const thirdMs = ((1000 / 3) * rate.burst) / rate.perSecond;
  return { ...rate, aheadMs: thirdMs, validMs: thirdMs };
}

/** Below this burst a batch would expire on the way to the worker. */
export function minBurst(perSecond: number): number {
  return Math.max(3, 0.3 * perSecond);
}
