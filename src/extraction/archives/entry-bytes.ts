/**
 * The bytes of an entry in a stream that goes on behind it. To leave them early does not end them, as their reader
 * may have to go through them to find where the next entry begins.
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

  /** All of them, so far as they are not taken yet; true: to their very end. */
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
