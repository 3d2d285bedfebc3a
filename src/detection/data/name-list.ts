import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The kinds of a word; bits, since a word such as Rose has several. */
export const FIRST_NAME = 1;
export const LAST_NAME = 2;
export const EVERYDAY = 4;
export const PLACE = 8;
/** Directly precedes names, and little else. */
export const CUE = 16;
/** Precedes names among other things. */
export const HINT = 32;

const KINDS = 63;
const SLOT_BITS = 17; // about three times the words
const SLOTS = 1 << SLOT_BITS;
const SEED = 0x811c9dc5;
const PRIME = 0x01000193;

/**
 * A hash table of words, with their kinds in the lowest bits. Most words that are looked up are not in it, so a miss must be very cheap,
 * and nothing is decoded. Two words may share a hash, though rarely; a name is only a heuristic match anyway.
 */
let list: Int32Array | null = null;

/** The kinds of the word in these bytes; ASCII letters in any case. 0: unknown. */
export function kindOfWord(bytes: Uint8Array, from: number, to: number): number {
  return kindOfHash(stirred(hashOf(bytes, from, to)));
}

/** Whether a person may be called so. */
export function isName(bytes: Uint8Array, from: number, to: number): boolean {
  return isNameHash(stirred(hashOf(bytes, from, to)));
}

/** Like `kindOfWord` for the word that begins at a position, up to its last letter; scanned and hashed in one pass. */
export function isNameAt(bytes: Uint8Array, from: number): boolean {
  let hash = SEED;
  let word = SEED;
  for (let i = from; i < from + MAX_WORD_LENGTH; i++) {
    const part = NAME_BYTE[bytes[i]!]!;
    if (part === 0) break;
    hash = Math.imul(hash ^ SMALL[bytes[i]!]!, PRIME);
    if (part === LETTER) word = hash;
  }
  return isNameHash(stirred(word));
}

export const MAX_WORD_LENGTH = 24;
const LETTER = 1;
const JOINT = 2;
/** What words of names are written with: letters of any language, and the dash and apostrophe between them; else 0. */
export const NAME_BYTE = Uint8Array.from({ length: 256 }, (_, b) => {
  if (b === 0x2d || b === 0x27) return JOINT;
  return b >= 0x80 || (b >= 65 && b <= 90) || (b >= 97 && b <= 122) ? LETTER : 0;
});

/** A bit for the hash of each name: small enough to stay near the processor, and most words have none. */
const NAME_BITS = 19;
const names = new Uint8Array(1 << (NAME_BITS - 3));

function isNameHash(hash: number): boolean {
  list ??= load();
  const bit = hash >>> (32 - NAME_BITS);
  return (names[bit >> 3]! & (1 << (bit & 7))) !== 0 && (kindOfHash(hash) & (FIRST_NAME | LAST_NAME)) !== 0;
}

function kindOfHash(hash: number): number {
  list ??= load();
  for (let slot = hash >>> (32 - SLOT_BITS); ; slot = (slot + 1) & (SLOTS - 1)) {
    const known = list[slot]!;
    if (known === 0) return 0;
    if (((known ^ hash) & ~KINDS) === 0) return known & KINDS;
  }
}

/** Whether the word that ends before `to` may be a cue or a hint, by its last letters: few are, and no word need be read. */
export function mayEndCue(bytes: Uint8Array, to: number): boolean {
  list ??= load();
  return CUE_TAILS[tailOf(bytes, to)] === 1;
}

const CUE_TAILS = new Uint8Array(1 << 15);

/** The last three bytes, five bits of each. */
function tailOf(bytes: Uint8Array, to: number): number {
  return (bytes[to - 1]! & 31) | ((bytes[to - 2]! & 31) << 5) | ((bytes[to - 3]! & 31) << 10);
}

function learnTail(word: Uint8Array): void {
  if (word.length > 2) CUE_TAILS[tailOf(word, word.length)] = 1;
  else for (let any = 0; any < 32; any++) CUE_TAILS[tailOf(Uint8Array.of(any, ...word), 3)] = 1;
}

/** Loaded on first use: many scans never need it. */
function load(): Int32Array {
  const bytes = readFileSync(join(import.meta.dirname, 'names.txt'));
  const read = new Int32Array(SLOTS);
  for (let from = 0; from < bytes.length; ) {
    const tab = bytes.indexOf(0x09, from);
    const end = bytes.indexOf(0x0a, tab);
    const kind = Number(bytes.toString('latin1', tab + 1, end));
    put(read, stirred(hashOf(bytes, from, tab)), kind);
    if ((kind & (CUE | HINT)) !== 0) learnTail(bytes.subarray(from, tab));
    from = end + 1;
  }
  return read;
}

function put(into: Int32Array, hash: number, kind: number): void {
  const bit = hash >>> (32 - NAME_BITS);
  if ((kind & (FIRST_NAME | LAST_NAME)) !== 0) names[bit >> 3]! |= 1 << (bit & 7);
  let slot = hash >>> (32 - SLOT_BITS);
  while (into[slot] !== 0) slot = (slot + 1) & (SLOTS - 1);
  into[slot] = (hash & ~KINDS) | kind;
}

const SMALL = Uint8Array.from({ length: 256 }, (_, b) => (b >= 65 && b <= 90 ? b | 32 : b));

/** FNV-1a over the letters made small. */
function hashOf(bytes: Uint8Array, from: number, to: number): number {
  let hash = SEED;
  for (let i = from; i < to; i++) hash = Math.imul(hash ^ SMALL[bytes[i]!]!, PRIME);
  return hash;
}

/** Its upper bits determine the slot. */
function stirred(hash: number): number {
  return Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
}
