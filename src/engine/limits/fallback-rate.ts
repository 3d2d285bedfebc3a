/**
 * Rate of a worker while the bucket is unreachable. Each of W workers takes 1/(2W) of the last known rate,
 * and at most a tenth of it, so that all together use at most half of it. It starts once fetched tokens
 * have expired, or both would be used.
 */
const MAX_SHARE = 1 / 10;
const LOG_AFTER_MS = 2000;

export class FallbackRate {
  readonly #workers: () => number;
  #downSince: number | null = null;
  #lastAdmittedAt = 0;
  #logged = false;
  #failures = 0;

  constructor(workers: () => number) {
    this.#workers = workers;
  }

  get isDegraded(): boolean {
    return this.#downSince !== null;
  }

  /** Consecutive failed requests to the bucket. */
  get failures(): number {
    return this.#failures;
  }

  /** Returns true when the failure should be logged: once per outage, and not for short ones. */
  recordFailure(now: number, validMs: number): boolean {
    this.#failures++;
    if (this.#downSince === null) {
      this.#downSince = now;
      this.#lastAdmittedAt = now + validMs * (1 + Math.random()); // jitter, so that workers don't synchronise
    }
    if (this.#logged || now - this.#downSince < LOG_AFTER_MS) return false;
    this.#logged = true;
    return true;
  }

  /** Returns true when the outage was logged, so that its end should be, too. */
  recordRecovery(): boolean {
    const wasLogged = this.#logged;
    this.#downSince = null;
    this.#logged = false;
    this.#failures = 0;
    return wasLogged;
  }

  /** Milliseconds until this worker may send one request; 0: now. */
  waitMs(now: number, perSecond: number): number {
    return Math.max(0, this.#lastAdmittedAt + 1000 / this.share(perSecond) - now);
  }

  recordAdmitted(now: number): void {
    this.#lastAdmittedAt = now;
  }

  /** Requests per second of this worker. */
  share(perSecond: number): number {
    return perSecond * Math.min(MAX_SHARE, 1 / (2 * Math.max(1, this.#workers())));
  }
}
