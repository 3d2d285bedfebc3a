import type { RandomAccess } from '../../document-item.ts';

const MIN_COUNT = 256 * 1024;
const MAX_COUNT = 4 * 1024 * 1024;

/** Readahead with a window that grows on sequential reads, and is reset by a jump. */
export class ReadAhead {
  readonly #input: RandomAccess;
  #buffer: Uint8Array = new Uint8Array(0);
  #start = 0;
  #window = MIN_COUNT;

  constructor(input: RandomAccess) {
    this.#input = input;
  }

  /** `[from, from + length)`, shorter only at the end of the input. */
  async read(from: number, length: number): Promise<Uint8Array> {
    const end = this.#start + this.#buffer.length;
    if (from < this.#start || from + length > end) {
      if (length > MAX_COUNT) return this.#direct(from, length);
      await this.#fetch(from, length, end);
    }
    return this.#buffer.subarray(from - this.#start, from - this.#start + length);
  }

  /** A large read is not appended to the buffer, because that would need its memory twice. */
  #direct(from: number, length: number): Promise<Uint8Array> {
    const to = Math.min(this.#input.size, from + length);
    this.#buffer = new Uint8Array(0);
    this.#start = to;
    return this.#input.read(Math.min(from, to), to);
  }

  async #fetch(from: number, length: number, end: number): Promise<void> {
    const goesOn = from >= this.#start && from <= end && end > 0;
    this.#window = goesOn ? Math.min(2 * this.#window, MAX_COUNT) : MIN_COUNT;
    const kept = goesOn ? this.#buffer.subarray(from - this.#start) : new Uint8Array(0);
    const to = Math.min(this.#input.size, from + Math.max(length, this.#window));
    const fresh =
      from + kept.length < to ? await this.#input.read(from + kept.length, to) : new Uint8Array(0);
    this.#buffer = kept.length === 0 ? fresh : Buffer.concat([kept, fresh]);
    this.#start = from;
  }
}
