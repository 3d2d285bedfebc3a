import { acquireBuffer, releaseBuffer } from './buffers.ts';

/** Memory is allocated in units of 12 bytes: one for a context, or for two symbols of a context. */
export const UNIT = 12;
export const SYMBOL = 6;
/** That blocks may have. */
export const SIZES = 38;
const MAX_SIZE = 128;

/** The units of each block size; and the smallest block size for a number of units. */
export const UNITS_OF = new Uint8Array(SIZES);
export const SIZE_FOR = new Uint8Array(MAX_SIZE + 1);
for (let size = 0, units = 0; size < SIZES; size++) {
  for (let step = size >= 12 ? 4 : (size >> 2) + 1; step > 0; step--) SIZE_FOR[++units] = size;
  UNITS_OF[size] = units;
}

/**
 * The model's memory, managed exactly as in the reference implementation: when it is full the model restarts, so the decoder must run out
 * of memory at the same symbol as the encoder. Text grows from the beginning, and blocks use the rest: contexts from the upper end,
 * symbols from the lower, both also from freed blocks. Addresses are byte offsets; 0 is null.
 */
export abstract class PpmdUnits {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly words: Uint16Array<ArrayBuffer>;
  readonly longs: Uint32Array<ArrayBuffer>;
  /** The next text position. */
  text = 0;
  /** No block is before. */
  unitsStart = 0;
  readonly start: number;
  readonly end: number;
  /** The first free block of each size. */
  readonly free = new Uint32Array(SIZES);
  /** Between these two nothing was ever used. */
  low = 0;
  high = 0;
  /** How often nothing may be found until blocks are joined. */
  untilJoin = 0;
  #resets = 0;

  constructor(size: number) {
    this.start = 4 - (size & 3);
    this.end = this.start + size;
    const longs = (this.end + UNIT) >> 2;
    const buffer = acquireBuffer(4 * longs);
    this.bytes = new Uint8Array(buffer, 0, 4 * longs);
    this.words = new Uint16Array(buffer, 0, 2 * longs);
    this.longs = new Uint32Array(buffer, 0, longs);
  }

  get size(): number {
    return this.end - this.start;
  }

  /** Bytes touched so far. */
  get touched(): number {
    if (this.#resets > 1) return this.end;
    return this.text - this.start + (this.low - this.unitsStart) + (this.end - this.high);
  }

  /** It is not used any more. */
  close(): void {
    releaseBuffer(this.bytes.buffer, this.touched);
  }

  reset(): void {
    this.#resets++;
    const size = this.end - this.start;
    this.free.fill(0);
    this.text = this.start;
    this.high = this.end;
    this.unitsStart = this.end - Math.floor(size / 8 / UNIT) * 7 * UNIT;
    this.low = this.unitsStart;
    this.untilJoin = 0;
  }

  /** A context's unit. */
  context(): number {
    if (this.high !== this.low) {
      this.high -= UNIT;
      return this.high;
    }
    return this.free[0] !== 0 ? this.take(0) : this.#search(0);
  }

  symbols(units: number): number {
    const size = SIZE_FOR[units]!;
    if (this.free[size] !== 0) return this.take(size);
    const bytes = UNIT * UNITS_OF[size]!;
    if (bytes > this.high - this.low) return this.#search(size);
    this.low += bytes;
    return this.low - bytes;
  }

  /** Space for one more unit in a block of `units`: the same block, if it is large enough. */
  grow(block: number, units: number): number {
    if (SIZE_FOR[units] === SIZE_FOR[units + 1]) return block;
    const larger = this.symbols(units + 1);
    if (larger === 0) return 0;
    this.bytes.copyWithin(larger, block, block + UNIT * units);
    this.put(block, SIZE_FOR[units]!);
    return larger;
  }

  shrink(block: number, units: number, fewer: number): number {
    const [size, smaller] = [SIZE_FOR[units]!, SIZE_FOR[fewer]!];
    if (size === smaller) return block;
    if (this.free[smaller] === 0) {
      this.#putRest(block, size, smaller);
      return block;
    }
    const other = this.take(smaller);
    this.bytes.copyWithin(other, block, block + UNIT * fewer);
    this.put(block, size);
    return other;
  }

  release(block: number, units: number): void {
    this.put(block, SIZE_FOR[units]!);
  }

  abstract put(block: number, size: number): void;
  abstract take(size: number): number;
  /** Merges adjacent free blocks. */
  abstract join(): void;

  /** In larger blocks, and in what is left between them and the text. */
  #search(size: number): number {
    if (this.untilJoin === 0) {
      this.join();
      if (this.free[size] !== 0) return this.take(size);
    }
    for (let larger = size + 1; larger < SIZES; larger++) {
      if (this.free[larger] === 0) continue;
      const block = this.take(larger);
      this.#putRest(block, larger, size);
      return block;
    }
    this.untilJoin--;
    const bytes = UNIT * UNITS_OF[size]!;
    if (this.unitsStart - this.text <= bytes) return 0;
    this.unitsStart -= bytes;
    return this.unitsStart;
  }

  #putRest(block: number, size: number, used: number): void {
    this.#putUnits(block + UNIT * UNITS_OF[used]!, UNITS_OF[size]! - UNITS_OF[used]!);
  }

  /** As one block or two: not every length is a size. */
  #putUnits(block: number, units: number): void {
    let size = SIZE_FOR[units]!;
    if (UNITS_OF[size] !== units) {
      const first = UNITS_OF[--size]!;
      this.put(block + UNIT * first, units - first - 1);
    }
    this.put(block, size);
  }

  /** Of any length. */
  protected putAll(block: number, units: number): void {
    let at = block;
    let left = units;
    for (; left > MAX_SIZE; left -= MAX_SIZE, at += UNIT * MAX_SIZE) this.put(at, SIZES - 1);
    this.#putUnits(at, left);
  }
}
