/**
 * How many objects a queue prefetches for its threads: what they process in about half a second. Prefetched
 * objects are reserved, so no other worker can steal them: on a slow store a fixed number would reserve
 * many seconds of work while other workers are idle.
 */
const PREFETCH_MS = 500;
const MEASURE_MS = 200;

export class PrefetchWindow {
  size: number;
  readonly #min: number;
  readonly #max: number;
  readonly #now: () => number;
  #since: number;
  #touched: number;
  #ended = 0;

  constructor(
    { min, max }: { readonly min: number; readonly max: number },
    now: () => number = () => performance.now(),
  ) {
    this.#min = Math.min(min, max);
    this.#max = max;
    this.#now = now;
    this.size = this.#min;
    this.#since = now();
    this.#touched = this.#since;
  }

  /** Restarts the measurement after an idle period, which says nothing about the speed. */
  recordStart(): void {
    const now = this.#now();
    if (now - this.#touched > PREFETCH_MS) this.#measureFrom(now);
    this.#touched = now;
  }

  recordEnd(): void {
    this.#ended++;
    const now = this.#now();
    this.#touched = now;
    const ms = now - this.#since;
    if (ms < MEASURE_MS && this.#ended < this.size) return;
    const target = Math.round((this.#ended / Math.max(1, ms)) * PREFETCH_MS);
    this.size = Math.max(this.#min, Math.min(this.#max, target, this.size * 4));
    this.#measureFrom(now);
  }

  #measureFrom(now: number): void {
    this.#since = now;
    this.#ended = 0;
  }
}
