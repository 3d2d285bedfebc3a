/**
 * Table of byte pairs, indexed by the low five bits of each byte: whether a word may begin or end with a pair. Letters match in any case,
 * and other bytes may collide. Used to skip decoding and a regular expression for most words.
 */
export function pairSet(pairs: string): Uint8Array {
  const table = new Uint8Array(1 << 10);
  for (const pair of pairs.split(' ')) {
    const [first = 0, second = 0] = Buffer.from(pair);
    for (const one of first === ANY ? EVERY : [first])
      for (const other of second === ANY ? EVERY : [second]) table[keyOf(one, other)] = 1;
  }
  return table;
}

/** A star matches any byte. */
const ANY = 0x2a;
const EVERY = Array.from({ length: 32 }, (_, bits) => bits);

/** Whether the bytes at `at` and `at + 1` are one of the pairs. */
export function isPair(table: Uint8Array, bytes: Uint8Array, at: number): boolean {
  return table[keyOf(bytes[at]!, bytes[at + 1]!)] === 1;
}

function keyOf(first: number, second: number): number {
  return (first & 31) | ((second & 31) << 5);
}
