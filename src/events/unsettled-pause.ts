/**
 * The pause before events are read again that an open transaction may have hidden. Its end is not notified, so without this they would wait for
 * the next poll. It doubles up to the poll interval, because the transaction may be a long one.
 */
const FIRST_MS = 20;

export class UnsettledPause {
  readonly #maxMs: number;
  #nextMs = FIRST_MS;

  constructor(maxMs: number) {
    this.#maxMs = maxMs;
  }

  next(): number {
    const pauseMs = Math.min(this.#nextMs, this.#maxMs);
    this.#nextMs = 2 * pauseMs;
    return pauseMs;
  }

  /** There may be new events. */
  reset(): void {
    this.#nextMs = FIRST_MS;
  }
}
