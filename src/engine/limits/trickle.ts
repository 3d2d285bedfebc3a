/**
 * What a worker allows itself while the bucket can't be asked: never nothing, never the whole rate. Each of W workers takes
 * 1/(2W) of the last known rate, and at most a tenth of it, so that all together stay at half of the rate. It begins
 * when everything taken from the bucket before has expired.
 */
const MOST = 1 / 10;
const SAY_AFTER_MS = 2000;

export class Trickle {
  readonly #workers: () => number;
  #downSince: number | null = null;
  #last = 0;
  #told = false;
  #failures = 0;

  constructor(workers: () => number) {
    this.#workers = workers;
  }

  get down(): boolean {
    return this.#downSince !== null;
  }

  /** Questions in a row that failed. */
  get failures(): number {
    return this.#failures;
  }

  /** True when it is time to tell somebody: not for a hiccup, and once. */
  failed(now: number, validMs: number): boolean {
    this.#failures++;
    if (this.#downSince === null) {
      this.#downSince = now;
      this.#last = now + validMs * (1 + Math.random()); // not all workers in step
    }
    if (this.#told || now - this.#downSince < SAY_AFTER_MS) return false;
    this.#told = true;
    return true;
  }

  /** True when the trouble was told of: then its end is worth telling, too. */
  recovered(): boolean {
    const told = this.#told;
    this.#downSince = null;
    this.#told = false;
    this.#failures = 0;
    return told;
  }

  /** Milliseconds until this worker may pass one request; 0: now. */
  waitMs(now: number, perSecond: number): number {
    return Math.max(0, this.#last + 1000 / this.share(perSecond) - now);
  }

  passed(now: number): void {
    this.#last = now;
  }

  /** Requests per second of this worker alone. */
  share(perSecond: number): number {
    return perSecond * Math.min(MOST, 1 / (2 * Math.max(1, this.#workers())));
  }
}
