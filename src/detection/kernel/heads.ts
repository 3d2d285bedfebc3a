/**
 * The first bytes of known words, in small letters: three of all, and four of those of which so many are known. The automaton is run only
 * at words that begin so.
 */
import { byteList } from '../pattern/byte-list.ts';
import type { LiteralPrefix } from './teddy.ts';

/** Cells of each table, one byte each. */
export const HEADS = 32768;
export const HEAD_FOLD = 0x20202020;
export const HEAD_SPREAD: number = 0x9e3779b1 | 0;
export const HEAD_SHIFT = 17;
/** In the first table: three bytes of a word of which four are looked at, and of one of which no more is known. */
export const MORE_KNOWN = 1;
export const NO_MORE_KNOWN = 2;
/** So many ways of four bytes are still known. */
const MAX_WAYS = 256;

export interface Heads {
  readonly three: Uint8Array;
  readonly four: Uint8Array;
}

export function headTables(beginnings: readonly LiteralPrefix[]): Heads {
  const [three, four] = [new Uint8Array(HEADS), new Uint8Array(HEADS)];
  for (const sets of beginnings) {
    const known = sets.slice(0, 4).map(byteList);
    const more = known.length === 4 && known.reduce((all, bytes) => all * bytes.length, 1) <= MAX_WAYS;
    for (const way of waysOf(known.slice(0, 3)))
      three[headOf(way | (HEAD_FOLD >>> 8))]! |= more ? MORE_KNOWN : NO_MORE_KNOWN;
    if (more) for (const way of waysOf(known)) four[headOf(way | HEAD_FOLD)] = 1;
  }
  return { three, four };
}

/** Each as one number, its first byte lowest. */
function waysOf(places: readonly (readonly number[])[]): number[] {
  return places.reduce<number[]>(
    (ways, bytes, n) => ways.flatMap((way) => bytes.map((byte) => way | (byte << (8 * n)))),
    [0],
  );
}

function headOf(number: number): number {
  return Math.imul(number, HEAD_SPREAD) >>> HEAD_SHIFT;
}
