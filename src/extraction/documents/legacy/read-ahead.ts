import type { RandomAccess } from '../../piece.ts';

const BLOCK = 32 * 1024;
const BLOCKS = 32;

/** Many small reads become few large ones: those near each other find their block still at hand, in whatever order. */
export class ReadAhead implements RandomAccess {
  readonly size: number;
  readonly #base: RandomAccess;
  /** By their number, the one used longest ago first. */
  readonly #blocks = new Map<number, Uint8Array>();

  constructor(base: RandomAccess) {
    this.#base = base;
    this.size = base.size;
  }

  async read(from: number, to: number): Promise<Uint8Array> {
    const first = Math.floor(from / BLOCK);
    if (to > (first + 2) * BLOCK) return this.#base.read(from, to);
    const start = first * BLOCK;
    const block = this.#blocks.get(first) ?? (await this.#load(first));
    if (to <= start + BLOCK || block.length < BLOCK) return block.subarray(from - start, to - start);
    const next = this.#blocks.get(first + 1) ?? (await this.#load(first + 1));
    return Buffer.concat([block.subarray(from - start), next.subarray(0, to - start - BLOCK)]);
  }

  async #load(number: number): Promise<Uint8Array> {
    const block = await this.#base.read(number * BLOCK, (number + 1) * BLOCK);
    this.#blocks.set(number, block);
    const [oldest] = this.#blocks.keys();
    if (this.#blocks.size > BLOCKS && oldest !== undefined) this.#blocks.delete(oldest);
    return block;
  }
}
