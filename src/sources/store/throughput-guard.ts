import { SeineError } from '../../base/errors.ts';

/**
 * The minimum number of bytes that a body must deliver within two response timeouts (a minute), or the connection is considered stalled.
 */
export const MIN_BYTES = 1 << 14;

/**
 * A deadline for each chunk does not end a body that arrives byte by byte. So the throughput is measured, too, over the time spent
 * waiting for the store; time that the reader of the bytes takes does not count.
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

  /** Throws if too little arrived during the time spent waiting. */
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
