import { SeineError } from '../../base/errors.ts';

/** A body must bring so many bytes in the time of two answers (a minute), or the connection is taken for stuck. */
export const MIN_BYTES = 1 << 14;

/**
 * A deadline for each piece does not end a body that comes byte by byte. So the pace is measured, too, by the time that was spent
 * waiting for the store: what the reader of the bytes does meanwhile does not count.
 */
export class ThroughputGuard {
  readonly #windowMs: number;
  #waitedMs = 0;
  #bytes = 0;

  constructor(answerMs: number) {
    this.#windowMs = 2 * answerMs;
  }

  received(bytes: number): void {
    this.#bytes += bytes;
  }

  /** Throws when too little came in the time that was waited. */
  async measure<T>(piece: Promise<T>): Promise<T> {
    const started = performance.now();
    const value = await piece;
    this.#waitedMs += performance.now() - started;
    if (this.#waitedMs >= this.#windowMs) this.#check();
    return value;
  }

  #check(): void {
    if (this.#bytes < MIN_BYTES) {
      const seconds = Math.round(this.#waitedMs / 1000);
      const message = `The store sent only ${this.#bytes} bytes in ${seconds} s.`;
      throw new SeineError('unavailable', message, { hint: 'Check the network between here and the store.' });
    }
    this.#waitedMs = 0;
    this.#bytes = 0;
  }
}
