import type { CellWriter } from '../cell-writer.ts';
import { endOfPage, PageBytes } from './bits.ts';
import type { ColumnCodec, WriteSlice } from './column-codec.ts';

/** The values of a chunk to which data pages refer by index. Stored undecoded: the bytes, and the start of each value. */
export class Dictionary {
  readonly #bytes: Uint8Array;
  readonly #count: number;
  readonly #width: number;
  readonly #starts: Uint32Array | null;
  readonly #write: WriteSlice;
  /** The kernel has its texts. */
  kept = false;

  constructor(bytes: Uint8Array, count: number, { width, slice }: ColumnCodec) {
    // A value takes its width, or at least the four bytes of its length.
    if (!(count >= 0 && count * (width || 4) <= bytes.length)) throw endOfPage();
    this.#bytes = bytes;
    this.#count = count;
    this.#width = width;
    this.#starts = width === 0 ? startsIn(bytes, count) : null;
    this.#write = slice;
  }

  write(out: CellWriter, index: number): void {
    if (index >= this.#count) throw endOfPage();
    const from = this.#starts === null ? index * this.#width : this.#starts[index]!;
    const to = this.#starts === null ? from + this.#width : this.#starts[index + 1]! - 4;
    this.#write(out, this.#bytes, from, to);
  }
}

/** One more than there are: a value ends four bytes before the next one begins. */
function startsIn(bytes: Uint8Array, count: number): Uint32Array {
  const page = new PageBytes(bytes);
  const starts = new Uint32Array(count + 1);
  for (let i = 0; i < count; i++) starts[i] = page.pass(page.uint32());
  starts[count] = page.at + 4;
  return starts;
}
