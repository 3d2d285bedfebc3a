import type { RandomAccess } from '../../document-item.ts';

const STRETCH = 64 * 1024;

/** Many small looks at an input that may be far away: it is asked for a stretch at a time, and the last one is kept. */
export class ReadWindow implements RandomAccess {
  readonly size: number;
  readonly #input: RandomAccess;
  #stretch: Uint8Array = new Uint8Array(0);
  #start = 0;

  constructor(input: RandomAccess) {
    this.#input = input;
    this.size = input.size;
  }

  async read(from: number, to: number): Promise<Uint8Array> {
    if (from < this.#start || to > this.#start + this.#stretch.length) {
      const end = Math.min(this.size, Math.max(to, from + STRETCH));
      this.#stretch = from < end ? await this.#input.read(from, end) : new Uint8Array(0);
      this.#start = from;
    }
    return this.#stretch.subarray(from - this.#start, to - this.#start);
  }
}

export function inMemory(bytes: Uint8Array): RandomAccess {
  return { size: bytes.length, read: (from, to) => Promise.resolve(bytes.subarray(from, to)) };
}
