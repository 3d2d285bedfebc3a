/**
 * The algorithm of limit.ts in memory, on the caller's clock: the reference for the tests of PostgreSQL and
 * Redis.
 */
import type { LimiterReply } from './bucket.ts';
import {
  DECREASE_EVERY_MS,
  HORIZON_MS,
  type Limit,
  MAX_PAUSE_MS,
  MIN_RATE_SHARE,
  type Rate,
  RECOVERY_MS,
} from './limit.ts';

export class ModelBucket {
  readonly #limit: Limit;
  #freeAt: number;
  #rate: number;
  #decreasedAt: number;
  #pausedUntil = Number.NEGATIVE_INFINITY;

  constructor(limit: Limit, now: number) {
    this.#limit = limit;
    this.#freeAt = now + limit.aheadMs;
    this.#rate = limit.perSecond;
    this.#decreasedAt = now - DECREASE_EVERY_MS;
  }

  take(now: number, count: number): LimiterReply {
    this.#clampToClock(now);
    const { aheadMs } = this.#limit;
    const perSecond = this.#rateAt(now);
    const latest = Math.max(now, this.#pausedUntil) + HORIZON_MS + Math.max(aheadMs, 1000 / perSecond);
    const n = Math.min(count, Math.max(1, Math.floor((perSecond * aheadMs) / 1000)));
    const base = Math.max(now, Math.min(this.#freeAt, latest));
    const ends = base + (n * 1000) / perSecond;
    const inMs = Math.max(0, Math.min(ends - aheadMs, base) - now);
    const granted = inMs <= HORIZON_MS;
    this.#freeAt = granted ? ends : base;
    return { tokens: granted ? n : 0, inMs, perSecond };
  }

  slow(now: number, pauseMs: number): void {
    this.#clampToClock(now);
    const due = now >= Math.max(this.#pausedUntil, this.#decreasedAt + DECREASE_EVERY_MS);
    if (due) {
      this.#rate = Math.max(this.#limit.perSecond * MIN_RATE_SHARE, this.#rateAt(now) / 2);
      this.#decreasedAt = now;
    }
    if (pauseMs > 0) this.#pausedUntil = Math.max(this.#pausedUntil, now + Math.min(pauseMs, MAX_PAUSE_MS));
    this.#freeAt = Math.max(this.#freeAt, Math.max(now, this.#pausedUntil) + this.#limit.aheadMs);
  }

  /** Handles a clock that was set back. */
  #clampToClock(now: number): void {
    this.#decreasedAt = Math.min(this.#decreasedAt, now);
    this.#pausedUntil = Math.min(this.#pausedUntil, now + MAX_PAUSE_MS);
  }

  #rateAt(now: number): number {
    const steady = Math.max(0, now - Math.max(this.#decreasedAt, this.#pausedUntil));
    return Math.min(this.#limit.perSecond, this.#rate + (this.#limit.perSecond / RECOVERY_MS) * steady);
  }
}

/**
 * Describes the first interval in which more was used than the rate allows; null when there is none. Times
 * ascend.
 */
export function firstExcess(rate: Rate, usedAt: readonly number[]): string | null {
  // A token bucket on the provider's side: full at first, one out for each use. It must never go below
  // zero.
  let level = rate.burst;
  let last = usedAt[0] ?? 0;
  for (const [i, at] of usedAt.entries()) {
    level = Math.min(rate.burst, level + (rate.perSecond * (at - last)) / 1000) - 1;
    last = at;
    if (level < -1e-6) return `${-level} too many at ${at} ms, the use number ${i + 1}`;
  }
  return null;
}
