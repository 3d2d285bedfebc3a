/**
 * Heads: hash tables of the first bytes of known words, in lower case: three bytes, and four where too many known words share the first three. The
 * DFA runs only at words that begin so.
 */
import { byteList } from '../pattern/byte-list.ts';
import type { LiteralPrefix } from './teddy.ts';

/** Entries of each table, one byte each. */
export const HEADS = 32768;
export const HEAD_FOLD = 0x20202020;
export const HEAD_MULTIPLIER: number = 0x9e3779b1 | 0;
export const HEAD_SHIFT = 17;
/** Values in the first table: the fourth byte must be tested too, or the word has no more known bytes. */
export const MORE_KNOWN = 1;
export const NO_MORE_KNOWN = 2;
/** Maximum number of combinations of four bytes. */
const MAX_COMBINATIONS = 256;

export interface Heads {
  readonly three: Uint8Array;
  readonly four: Uint8Array;
}

export function headTables(prefixes: readonly LiteralPrefix[]): Heads {
  const [three, four] = [new Uint8Array(HEADS), new Uint8Array(HEADS)];
  for (const sets of prefixes) {
    const known = sets.slice(0, 4).map(byteList);
    const more =
      known.length === 4 && known.reduce((all, bytes) => all * bytes.length, 1) <= MAX_COMBINATIONS;
    for (const number of combinationsOf(known.slice(0, 3)))
      three[headOf(number | (HEAD_FOLD >>> 8))]! |= more ? MORE_KNOWN : NO_MORE_KNOWN;
    if (more) for (const number of combinationsOf(known)) four[headOf(number | HEAD_FOLD)] = 1;
  }
  return { three, four };
}

/** Every combination of one byte of each set, as a little-endian number. */
function combinationsOf(byteSets: readonly (readonly number[])[]): number[] {
  return byteSets.reduce<number[]>(
    (numbers, bytes, n) => numbers.flatMap((number) => bytes.map((byte) => number | (byte << (8 * n)))),
    [0],
  );
}

function headOf(number: number): number {
  return Math.imul(number, HEAD_MULTIPLIER) >>> HEAD_SHIFT;
}
