import type { RandomAccess } from '../../document-item.ts';

const MIN_READ_BYTES = 64 * 1024;

/** Serves many small reads of a possibly remote input: requests a range at a time, and caches the last one. */
export class ReadWindow implements RandomAccess {
  readonly size: number;
  readonly #input: RandomAccess;
  #cached: Uint8Array = new Uint8Array(0);
  #start = 0;

  constructor(input: RandomAccess) {
    this.#input = input;
    this.size = input.size;
  }

  async read(from: number, to: number): Promise<Uint8Array> {
    if (from < this.#start || to > this.#start + this.#cached.length) {
      const end = Math.min(this.size, Math.max(to, from + MIN_READ_BYTES));
      this.#cached = from < end ? await this.#input.read(from, end) : new Uint8Array(0);
      this.#start = from;
    }
    return this.#cached.subarray(from - this.#start, to - this.#start);
  }
}

export function inMemory(bytes: Uint8Array): RandomAccess {
  return { size: bytes.length, read: (from, to) => Promise.resolve(bytes.subarray(from, to)) };
}
