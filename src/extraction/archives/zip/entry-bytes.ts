/**
 * The bytes of an entry inside a stream that continues after it. Breaking out of the loop does not end the iterator, because the archive
 * reader may have to consume the rest to find the next entry.
 */
export class EntryBytes implements AsyncIterable<Uint8Array> {
  readonly #bytes: AsyncGenerator<Uint8Array>;
  #over = false;
  #failed = false;

  constructor(bytes: AsyncGenerator<Uint8Array>) {
    this.#bytes = bytes;
  }

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    return { next: () => this.#next() };
  }

  /** Consumes the remaining bytes. Returns true if it reached their end. */
  async drain(): Promise<boolean> {
    while (!this.#over) await this.#next();
    return !this.#failed;
  }

  async close(): Promise<void> {
    this.#over = true;
    await this.#bytes.return(undefined);
  }

  async #next(): Promise<IteratorResult<Uint8Array>> {
    if (this.#over) return { done: true, value: undefined };
    try {
      const next = await this.#bytes.next();
      if (next.done === true) this.#over = true;
      return next;
    } catch (error) {
      this.#over = true;
      this.#failed = true;
      throw error;
    }
  }
}
