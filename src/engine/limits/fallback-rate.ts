/**
 * What a worker allows itself while the bucket can't be asked: never nothing, never the whole rate. Each of W workers takes
 * 1/(2W) of the last known rate, and at most a tenth of it, so that all together stay at half of the rate. It begins
 * when everything taken from the bucket before has expired.
 */
const MAX_SHARE = 1 / 10;
const LOG_AFTER_MS = 2000;

export class FallbackRate {
  readonly #workers: () => number;
  #downSince: number | null = null;
  #last = 0;
  #logged = false;
  #failures = 0;

  constructor(workers: () => number) {
    this.#workers = workers;
  }

  get isDegraded(): boolean {
    return this.#downSince !== null;
  }

  /** Questions in a row that failed. */
  get failures(): number {
    return this.#failures;
  }

  /** True when it is time to tell somebody: not for a hiccup, and once. */
  recordFailure(now: number, validMs: number): boolean {
    this.#failures++;
    if (this.#downSince === null) {
      this.#downSince = now;
      this.#last = now + validMs * (1 + Math.random()); // not all workers in step
    }
    if (this.#logged || now - this.#downSince < LOG_AFTER_MS) return false;
    this.#logged = true;
    return true;
  }

  /** True when the trouble was told of: then its end is worth telling, too. */
  recordRecovery(): boolean {
    const told = this.#logged;
    this.#downSince = null;
    this.#logged = false;
    this.#failures = 0;
    return told;
  }

  /** Milliseconds until this worker may pass one request; 0: now. */
  waitMs(now: number, perSecond: number): number {
    return Math.max(0, this.#last + 1000 / this.share(perSecond) - now);
  }

  recordAdmitted(now: number): void {
    this.#last = now;
  }

  /** Requests per second of this worker alone. */
  share(perSecond: number): number {
    return perSecond * Math.min(MAX_SHARE, 1 / (2 * Math.max(1, this.#workers())));
  }
}
