import { CorruptInput } from '../../../extraction-error.ts';
import type { BitReader } from './bzip2-bits.ts';

const MAX_LENGTH = 20;

/** The Huffman tables of a block, and which of them each group of fifty symbols uses. */
export function readTables(bits: BitReader, symbols: number): { tables: Huffman[]; selectors: Uint8Array } {
  const count = bits.bits(3);
  const groups = bits.bits(15);
  if (count < 2 || count > 6 || groups === 0) throw new CorruptInput('bzip2 data');
  const selectors = readSelectors(bits, count, groups);
  const tables: Huffman[] = [];
  for (let i = 0; i < count; i++) tables.push(new Huffman(readLengths(bits, symbols)));
  return { tables, selectors };
}

/** Move-to-front positions in unary. */
function readSelectors(bits: BitReader, count: number, groups: number): Uint8Array {
  const front = Uint8Array.from({ length: count }, (_, i) => i);
  const selectors = new Uint8Array(groups);
  for (let group = 0; group < groups; group++) {
    let position = 0;
    while (bits.bit() === 1) if (++position === count) throw new CorruptInput('bzip2 data');
    const table = front[position]!;
    front.copyWithin(1, 0, position);
    front[0] = table;
    selectors[group] = table;
  }
  return selectors;
}

/** Each symbol's code length as a walk from the one before. */
function readLengths(bits: BitReader, symbols: number): Uint8Array {
  const lengths = new Uint8Array(symbols);
  let length = bits.bits(5);
  for (let symbol = 0; symbol < symbols; symbol++) {
    while (bits.bit() === 1) length += bits.bit() === 1 ? -1 : 1;
    if (length < 1 || length > MAX_LENGTH) throw new CorruptInput('bzip2 data');
    lengths[symbol] = length;
  }
  return lengths;
}

/** Canonical codes: those of one length are consecutive numbers, in the order of their symbols. */
export class Huffman {
  readonly #limit = new Int32Array(MAX_LENGTH + 1).fill(-1); // the largest code of each length
  readonly #base = new Int32Array(MAX_LENGTH + 1); // what to add to a code to find its symbol in the order
  readonly #order: Uint16Array;
  readonly #shortest: number;

  constructor(lengths: Uint8Array) {
    this.#order = new Uint16Array(lengths.length);
    this.#shortest = lengths.reduce((min, length) => Math.min(min, length), MAX_LENGTH);
    let code = 0;
    let placed = 0;
    for (let length = this.#shortest; length <= MAX_LENGTH; length++) {
      this.#base[length] = placed - code;
      for (let symbol = 0; symbol < lengths.length; symbol++) {
        if (lengths[symbol] === length) {
          this.#order[placed++] = symbol;
          code++;
        }
      }
      this.#limit[length] = code - 1;
      code <<= 1;
    }
  }

  read(bits: BitReader): number {
    let code = bits.bits(this.#shortest);
    for (let length = this.#shortest; length <= MAX_LENGTH; length++) {
      if (code <= this.#limit[length]!) {
        const symbol = this.#order[code + this.#base[length]!];
        if (symbol === undefined) break;
        return symbol;
      }
      if (length < MAX_LENGTH) code = (code << 1) | bits.bit();
    }
    throw new CorruptInput('bzip2 data');
  }
}
