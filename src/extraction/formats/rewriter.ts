/** Rewrites a text in blocks, into an EditedText. */
export interface Rewriter {
  /**
   * Returns how many of the block's bytes are finished: all if it is the `last`, otherwise all but the beginning of a change whose end is
   * not available yet. That must be decided within 4 KB. The rest comes again at the beginning of the next block.
   */
  rewrite(block: Uint8Array, last: boolean): number;
}

/** Bytes of a block, at most. */
export const BLOCK: number = 64 * 1024;

const NOTHING: Uint8Array = new Uint8Array(0);

/** Cuts a text into blocks. What becomes of it does not depend on how the bytes arrived. */
export class BlockBuffer {
  readonly #rewriting: Rewriter;
  #buffered: Uint8Array = NOTHING;

  constructor(rewriting: Rewriter) {
    this.#rewriting = rewriting;
  }

  push(bytes: Uint8Array): void {
    const all = this.#buffered.length === 0 ? bytes : Buffer.concat([this.#buffered, bytes]);
    let from = 0;
    for (let to = 0; to < all.length; ) {
      to = Math.min(all.length, from + BLOCK);
      from += this.#rewriting.rewrite(from === 0 && to === all.length ? all : all.subarray(from, to), false);
    }
    this.#buffered = from === all.length ? NOTHING : new Uint8Array(all.subarray(from));
  }

  end(): void {
    this.#rewriting.rewrite(this.#buffered, true);
  }
}
