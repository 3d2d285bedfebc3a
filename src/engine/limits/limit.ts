/**
 * The rate limit of a quota (a provider and a credential), shared by all workers.
 *
 * A bucket is a schedule. Every batch of n tokens gets a slot of n/rate seconds, one slot after the other, in the time
 * of the server that keeps the bucket:
 *
 *     base = max(freeAt, now)     ends = base + n/rate     freeAt := ends
 *     usable from max(now, min(ends - aheadMs, base)), for validMs; then what was not used is lost
 *
 * Claim: in any stretch of w seconds at most `perSecond·(w + valid + ahead)` tokens are used. Take the batches used in
 * [a, a+w]: none was usable before a - valid, so no slot begins before that; none is usable later than a+w, so every slot
 * ends by a+w + ahead. The slots do not overlap, and lie in a stretch of w + valid + ahead seconds. (A single token whose
 * slot is longer than `ahead`, after a slow-down, may stick out at the end; it counts as one, and perSecond·ahead is at
 * least one.) Slow-downs make slots longer, never shorter. A third of the burst pays for `valid`, one for `ahead`, and the
 * last for requests that take longer than others on their way: so the provider, too, counts at most `perSecond·w + burst`.
 *
 * Which clock: the slot is measured by the server (`clock()` of PostgreSQL, TIME of Redis). A worker only measures how
 * long ago it asked, with its monotonic clock: the server's "now" lies between question and answer, so waiting from
 * the answer and expiring from the question is safe, whatever either clock shows.
 *   - The server's clock goes back: freeAt would lie far ahead; it is cut to the most that can have been given away, so
 *     nobody stalls and no slot is given twice.
 *   - It goes forward: the same as if nobody had asked meanwhile, at most one burst more.
 *
 * Crash: a worker that dies takes at most its batch with it; the schedule goes on. Nothing is given back, so tokens can't
 * pile up. A bucket that is new, or was lost with its server, begins empty: a restart is no burst.
 *
 * Slow down (429, 503): the rate is halved, at most once in CUT_EVERY_MS, and grows back by itself, in a straight line that
 * would take RECOVERY_MS from nothing to the full rate. Retry-After moves freeAt behind the pause.
 */

/** Requests per second in the long run, and how many more than that in any stretch of time. */
export interface Rate {
  readonly perSecond: number;
  readonly burst: number;
}

export interface Limit extends Rate {
  /** How far the schedule may run ahead before somebody has to wait. */
  readonly aheadMs: number;
  /** How long a batch can be used. */
  readonly validMs: number;
}

/** Nothing is promised further ahead: who would have to wait longer asks again. Keeps a pause from being outrun. */
export const HORIZON_MS = 500;
export const DECREASE_EVERY_MS = 1000;
export const RECOVERY_MS = 60_000;
/** Longer ones are cut: it may be a mistake, and the provider will say so again. */
export const MAX_PAUSE_MS = 300_000;
/** However often the provider complains, this part of the rate stays. */
export const MIN_RATE_SHARE = 1 / 64;

export function toLimit(rate: Rate): Limit {
  const thirdMs = ((1000 / 3) * rate.burst) / rate.perSecond;
  return { ...rate, aheadMs: thirdMs, validMs: thirdMs };
}

/** Below this a batch would expire on the way to the worker. */
export function minBurst(perSecond: number): number {
  return Math.max(3, 0.3 * perSecond);
}
