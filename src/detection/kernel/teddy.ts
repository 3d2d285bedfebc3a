/**
 * The Teddy algorithm (as in Hyperscan and ripgrep) for literal prefixes that may be anywhere, three byte sets each. Prefixes are
 * distributed over eight buckets; per position, two nibble tables yield the buckets in which a byte may occur, so six lookups find them
 * all, with some false positives. Each prefix goes into the bucket whose match rate it raises least.
 */
import type { ByteSet } from '../pattern/parse.ts';

export const PREFIX_LENGTH = 3;
const BUCKETS = 8;

/** For one of the three positions: the buckets by lower and by upper nibble of a byte. */
export interface NibbleTables {
  readonly low: Uint8Array;
  readonly high: Uint8Array;
}

export type LiteralPrefix = readonly ByteSet[];

export function teddyTables(prefixes: readonly LiteralPrefix[]): NibbleTables[] {
  const tables = Array.from({ length: PREFIX_LENGTH }, () => ({
    low: new Uint8Array(16),
    high: new Uint8Array(16),
  }));
  for (const prefix of commonFirst(prefixes)) put(tables, prefix, bestBucket(tables, prefix));
  return tables;
}

/** Frequent prefixes first: they determine what a bucket is for, and rare ones join where they add little. */
function commonFirst(prefixes: readonly LiteralPrefix[]): LiteralPrefix[] {
  const share = (set: ByteSet | undefined) =>
    set === undefined ? 1 : set.reduce((sum, one, byte) => sum + one * SHARES[byte]!, 0);
  const shares = (one: LiteralPrefix) => [0, 1, 2].reduce((all, position) => all * share(one[position]), 1);
  return prefixes
    .map((one) => ({ one, by: shares(one) }))
    .sort((a, b) => b.by - a.by)
    .map(({ one }) => one);
}

function bestBucket(tables: readonly NibbleTables[], literal: LiteralPrefix): number {
  let [best, min] = [0, Number.POSITIVE_INFINITY];
  for (let bit = 1; bit < 1 << BUCKETS; bit <<= 1) {
    const more = through(withLiteral(tables, literal, bit), bit) - through(tables, bit);
    if (more < min) [best, min] = [bit, more];
  }
  return best;
}

/** The share of positions that a bucket lets through, for typical byte frequencies. */
function through(tables: readonly NibbleTables[], bit: number): number {
  return tables.reduce((all, { low, high }) => {
    let share = 0;
    for (let h = 0; h < 16; h++)
      if (high[h]! & bit) for (let l = 0; l < 16; l++) if (low[l]! & bit) share += SHARES[h * 16 + l]!;
    return all * share;
  }, 1);
}

function withLiteral(tables: readonly NibbleTables[], literal: LiteralPrefix, bit: number): NibbleTables[] {
  const copy = tables.map(({ low, high }) => ({ low: low.slice(), high: high.slice() }));
  put(copy, literal, bit);
  return copy;
}

function put(tables: readonly NibbleTables[], literal: LiteralPrefix, bit: number): void {
  for (const [position, { low, high }] of tables.entries()) {
    const set = literal[position]; // undefined for a prefix of two bytes: any byte may follow
    for (let byte = 0; byte < 256; byte++) {
      if (set?.[byte] === 0) continue;
      low[byte & 15]! |= bit;
      high[byte >> 4]! |= bit;
    }
  }
}

/** Byte frequencies per thousand in a mixture of prose, code, logs and tables; all others are very rare. */
const SHARES = new Float64Array(256).fill(0.00002);
// biome-ignore format: a table
const USUAL: Readonly<Record<string, number>> = {
  ' ': 150, e: 72, t: 54, a: 46, i: 44, n: 43, o: 43, r: 43, s: 42, l: 28, d: 25, c: 25, u: 20, p: 18, m: 17,
  f: 15, h: 18, g: 12, y: 9, b: 10, v: 7, w: 7, k: 5, x: 5, q: 1, j: 2, z: 2, '0': 20, '1': 16, '2': 14, '3': 9,
  '4': 9, '5': 9, '6': 8, '7': 7, '8': 8, '9': 7, '.': 12, ',': 12, '"': 14, '-': 10, '/': 8, ':': 10, '=': 7,
  '(': 6, ')': 6, "'": 6, _: 9, ';': 4, '{': 2, '}': 2, '<': 4, '>': 4, '\n': 25,
};
for (const [c, share] of Object.entries(USUAL)) SHARES[c.charCodeAt(0)] = share / 1000;
for (let b = 65; b <= 90; b++) SHARES[b] = 0.003;
