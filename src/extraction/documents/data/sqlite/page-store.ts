/** The pages of a database file. Tables are mostly read forward, but not always: reads grow while that works out. */

import type { RandomAccess } from '../../../document-item.ts';
import { CorruptInput } from '../../../extraction-error.ts';

const BLOCK = 64 * 1024;
const BLOCKS_KEPT = 256;
const MAX_RUN = 32;
/** Pages of other tables may lie between, so skipping up to this many blocks still counts as sequential. */
const NEAR = 8;

export class PageStore {
  readonly pageSize: number;
  /** Where a page's content ends; some keep a few bytes for themselves. */
  readonly usable: number;
  readonly #input: RandomAccess;
  readonly #blocks = new Map<number, Uint8Array>();
  readonly #seen: Uint8Array;
  readonly #count: number;
  #run = 1;
  #expected = 0;

  constructor(input: RandomAccess, pageSize: number, reserved: number) {
    this.#input = input;
    this.pageSize = pageSize;
    this.usable = pageSize - reserved;
    this.#count = Math.ceil(input.size / pageSize);
    this.#seen = new Uint8Array(Math.ceil((this.#count + 1) / 8));
  }

  /** Each page has only one purpose, so a second visit means a cycle. */
  async visit(number: number): Promise<Uint8Array> {
    if (number < 1) throw new CorruptInput('SQLite page');
    if (number > this.#count) throw new CorruptInput('truncated SQLite database');
    const bit = 1 << (number & 7);
    if (this.#seen[number >> 3]! & bit) throw new CorruptInput('SQLite page loop');
    this.#seen[number >> 3]! |= bit;
    const start = (number - 1) * this.pageSize;
    const index = Math.floor(start / BLOCK);
    const block = this.#blocks.get(index) ?? (await this.#load(index));
    const page = block.subarray(start - index * BLOCK, start - index * BLOCK + this.pageSize);
    if (page.length < this.pageSize) throw new CorruptInput('truncated SQLite database');
    return page;
  }

  async #load(index: number): Promise<Uint8Array> {
    const forward = index >= this.#expected && index <= this.#expected + NEAR;
    this.#run = forward ? Math.min(2 * this.#run, MAX_RUN) : Math.max(1, this.#run >> 1);
    const from = index * BLOCK;
    const bytes = await this.#input.read(from, Math.min(this.#input.size, from + this.#run * BLOCK));
    for (let i = 0; i * BLOCK < bytes.length; i++)
      this.#keep(index + i, bytes.subarray(i * BLOCK, (i + 1) * BLOCK));
    this.#expected = index + this.#run;
    return bytes.subarray(0, BLOCK);
  }

  /** Evicts the oldest first: pages are read once, so recent use does not predict another. */
  #keep(index: number, block: Uint8Array): void {
    if (this.#blocks.size >= BLOCKS_KEPT)
      for (const oldest of this.#blocks.keys()) {
        this.#blocks.delete(oldest);
        break;
      }
    this.#blocks.set(index, block);
  }
}
