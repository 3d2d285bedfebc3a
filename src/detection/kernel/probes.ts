/** The first two bytes of a value as a number, and all numbers they may be. */
import { byteList } from '../pattern/byte-list.ts';
import type { ByteSet } from '../pattern/parse.ts';

/** More beginnings than this are no beginning. */
const MOST_PAIRS = 4096;

export type Pairs = readonly number[];

export function pairsOf([first, second]: readonly ByteSet[]): Pairs | null {
  if (sizeOf(first!) * sizeOf(second!) > MOST_PAIRS) return null;
  return byteList(first!).flatMap((low) => byteList(second!).map((high) => low | (high << 8)));
}

export function sizeOf(set: ByteSet): number {
  return byteList(set).length;
}
