/**
 * How many tokens to fetch: about what was used in BATCH_MS lately, so that the bucket is asked a few times
 * a second for any rate of requests. It grows at most twofold, so that a single peak does not fetch a batch
 * that will not be used.
 */
const BATCH_MS = 200;

export class TokenBatchSizer {
  #askedAt: number | null = null;
  #used = 0;

  recordUse(): void {
    this.#used++;
  }

  /** Called for each request to the bucket. */
  nextBatchSize(now: number, validMs: number): number {
    const elapsed = this.#askedAt === null ? Number.POSITIVE_INFINITY : Math.max(1, now - this.#askedAt);
    const expected = (this.#used / elapsed) * Math.min(BATCH_MS, 0.7 * validMs);
    const size = Math.max(1, Math.min(Math.ceil(expected), 2 * this.#used));
    this.#askedAt = now;
    this.#used = 0;
    return size;
  }
}
