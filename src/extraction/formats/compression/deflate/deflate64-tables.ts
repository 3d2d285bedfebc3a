import { CorruptInput } from '../../../extraction-error.ts';

/**
 * A table entry, packed in one number: the bits of its code (0: no such code), the number of extra bits, its type, and its value: a byte,
 * the base length or distance, or the subtable for the rest of a longer code.
 */
export const CODE_BITS = 15;
export const MORE_SHIFT = 4;
export const MORE_BITS = 31;
export const LITERAL = 1 << 9;
export const LONGER = 1 << 10;
export const END = 1 << 11;
export const VALUE_SHIFT = 12;

const MAX_LENGTH = 15;
export const SYMBOL_ROOT = 11;
export const DISTANCE_ROOT = 9;
export const LENGTH_ROOT = 7;
export const MAX_SYMBOLS = 288;
export const MAX_DISTANCES = 32;

/** Entries indexed by the first bits of codes; longer codes continue in subtables. */
export class CodeTable {
  readonly entries: Int32Array;
  readonly #root: number;
  readonly #meanings: Int32Array;
  readonly #next = new Int32Array(MAX_LENGTH + 2); // the next code of each length
  readonly #longest: Uint8Array; // of the codes that begin with the same bits
  #end = 0;

  /** `meanings`: an entry without its code for each symbol, 0 for those that mean nothing. */
  constructor(root: number, meanings: Int32Array) {
    this.#root = root;
    this.#meanings = meanings;
    this.#longest = new Uint8Array(1 << root);
    this.entries = new Int32Array((1 << root) + (meanings.length << Math.max(0, MAX_LENGTH - root)));
  }

  /** The codes are consecutive numbers, by their lengths and then by their symbols. */
  fill(lengths: Uint8Array): void {
    this.#begin(lengths);
    this.entries.fill(0, 0, 1 << this.#root);
    this.#longest.fill(0);
    const root = this.#root;
    const firstOfLong = this.#next[root + 1]!;
    for (let symbol = 0; symbol < lengths.length; symbol++) {
      const length = lengths[symbol]!;
      if (length === 0) continue;
      const code = reversed(this.#next[length]!++, length);
      if (length <= root) this.#put(symbol, length, code, 0, root);
      else this.#mark(code, length);
    }
    if (root < MAX_LENGTH) this.#fillLong(lengths, firstOfLong);
  }

  #begin(lengths: Uint8Array): void {
    const counts = new Int32Array(MAX_LENGTH + 1);
    for (const length of lengths) counts[length]!++;
    let code = 0;
    for (let length = 1; length <= MAX_LENGTH; length++) {
      this.#next[length] = code;
      code += counts[length]!;
      if (code > 1 << length) throw new CorruptInput('deflate64 data');
      code <<= 1;
    }
    this.#end = 1 << this.#root;
  }

  #mark(code: number, length: number): void {
    const start = code & ((1 << this.#root) - 1);
    if (length > this.#longest[start]!) this.#longest[start] = length;
  }

  /** The second pass over the long codes, once the subtable sizes are known. */
  #fillLong(lengths: Uint8Array, first: number): void {
    const root = this.#root;
    const next = this.#next;
    for (let length = root + 1, code = first; length <= MAX_LENGTH; length++) {
      const behind = next[length]!;
      next[length] = code;
      code = behind << 1;
    }
    for (let symbol = 0; symbol < lengths.length; symbol++) {
      const length = lengths[symbol]!;
      if (length <= root) continue;
      const code = reversed(next[length]!++, length);
      const start = code & ((1 << root) - 1);
      const bits = this.#longest[start]! - root;
      if (this.entries[start] === 0) {
        this.entries[start] = (this.#end << VALUE_SHIFT) | LONGER | bits;
        this.entries.fill(0, this.#end, this.#end + (1 << bits));
        this.#end += 1 << bits;
      }
      const from = this.entries[start]! >>> VALUE_SHIFT;
      this.#put(symbol, length - root, code >> root, from, bits);
    }
  }

  /** Fills all indexes that begin with the code's bits. */
  #put(symbol: number, length: number, code: number, from: number, bits: number): void {
    const meaning = this.#meanings[symbol] ?? 0;
    if (meaning === 0) return;
    const entry = meaning | length;
    const end = from + (1 << bits);
    for (let at = from + code; at < end; at += 1 << length) this.entries[at] = entry;
  }
}

/** Codes are read from their highest bit on, all else from the lowest. */
function reversed(code: number, length: number): number {
  let result = 0;
  for (let left = length, rest = code; left > 0; left--, rest >>= 1) result = (result << 1) | (rest & 1);
  return result;
}

/** Bytes, the end of a block, and lengths: the last of them has 16 bits of its own, that is what is new in Deflate64. */
export const SYMBOLS: Int32Array = Int32Array.from({ length: MAX_SYMBOLS }, (_, symbol) => {
  if (symbol < 256) return (symbol << VALUE_SHIFT) | LITERAL;
  if (symbol === 256) return END;
  if (symbol > 285) return 0;
  if (symbol === 285) return (3 << VALUE_SHIFT) | (16 << MORE_SHIFT);
  const index = symbol - 257;
  const more = index < 8 ? 0 : (index >> 2) - 1;
  const min = index < 8 ? index : (4 | (index & 3)) << more;
  return ((min + 3) << VALUE_SHIFT) | (more << MORE_SHIFT);
});

export const DISTANCES: Int32Array = Int32Array.from({ length: MAX_DISTANCES }, (_, symbol) => {
  const more = symbol < 4 ? 0 : (symbol >> 1) - 1;
  const min = symbol < 4 ? symbol : (2 | (symbol & 1)) << more;
  return ((min + 1) << VALUE_SHIFT) | (more << MORE_SHIFT);
});

/** Of the lengths of codes, which are compressed themselves. A code for zero must exist, too. */
export const LENGTHS: Int32Array = Int32Array.from(
  { length: 19 },
  (_, symbol) => (symbol << VALUE_SHIFT) | LITERAL,
);
