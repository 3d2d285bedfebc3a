import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What a word is known as; bits, since Rose is several things. */
export const FIRST_NAME = 1;
export const LAST_NAME = 2;
export const EVERYDAY = 4;
export const PLACE = 8;
/** Stands right before names, and before little else. */
export const CUE = 16;
/** Stands before names among others. */
export const HINT = 32;

const KINDS = 63;
const SLOT_BITS = 17; // about three times the words
const SLOTS = 1 << SLOT_BITS;
const SEED = 0x811c9dc5;
const PRIME = 0x01000193;

/**
 * Words by a hash of their bytes, with what is known of them in its lowest bits: most words that are asked about are not
 * in it, and a "no" must cost next to nothing, so no text is made. Two words may share a hash, one in a thousand times
 * thousands; a name is a guess anyway.
 */
let list: Int32Array | null = null;

/** What is known of the word in these bytes; capital or small ASCII letters are the same. 0: nothing. */
export function kindOfWord(bytes: Uint8Array, from: number, to: number): number {
  list ??= load();
  const hash = hashOf(bytes, from, to);
  for (let slot = hash >>> (32 - SLOT_BITS); ; slot = (slot + 1) & (SLOTS - 1)) {
    const known = list[slot]!;
    if (known === 0) return 0;
    if (((known ^ hash) & ~KINDS) === 0) return known & KINDS;
  }
}

/** Read when the first word is asked about: many scans never meet a name. */
function load(): Int32Array {
  const bytes = readFileSync(join(import.meta.dirname, 'names.txt'));
  const read = new Int32Array(SLOTS);
  for (let from = 0; from < bytes.length; ) {
    const tab = bytes.indexOf(0x09, from);
    const end = bytes.indexOf(0x0a, tab);
    put(read, hashOf(bytes, from, tab), Number(bytes.toString('latin1', tab + 1, end)));
    from = end + 1;
  }
  return read;
}

function put(into: Int32Array, hash: number, kind: number): void {
  let slot = hash >>> (32 - SLOT_BITS);
  while (into[slot] !== 0) slot = (slot + 1) & (SLOTS - 1);
  into[slot] = (hash & ~KINDS) | kind;
}

/** FNV-1a over the letters made small, and once more stirred: its upper bits choose the place. */
function hashOf(bytes: Uint8Array, from: number, to: number): number {
  let hash = SEED;
  for (let i = from; i < to; i++) {
    const b = bytes[i]!;
    hash = Math.imul(hash ^ (b >= 65 && b <= 90 ? b | 32 : b), PRIME);
  }
  return Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
}
