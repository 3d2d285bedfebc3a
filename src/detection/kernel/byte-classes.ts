/**
 * The ten byte classes of the kernel, which partition all bytes. The kernel keeps a bitmask per class (except the last), and byte sets of
 * patterns are rounded up to classes. Verifiers correct the resulting false positives.
 */
import type { ByteSet } from '../pattern/parse.ts';

export const DIGIT = 1;
export const UPPER = 2;
export const LOWER = 4;
export const SPACE = 8;
export const DASH = 16;
export const DOT = 32;
export const COLON = 64;
export const AT = 128;
/** Rarer bytes used by patterns, merged into one class; the Teddy tables of prefixes distinguish them. */
export const NOTABLE = 256;
export const OTHER = 512;
export const ANY = 1023;

/** Digits and the separators between groups of them. */
export const SEPARATED: number = DIGIT | SPACE | DASH | DOT | NOTABLE;
export const LETTER: number = UPPER | LOWER;
export const ALNUM: number = LETTER | DIGIT;
/** A superset of the characters of issued tokens. */
export const TOKEN: number = ALNUM | DASH | DOT | NOTABLE;

export const NOTABLES = '+(/_#$';

/** Separators between a name and its value. A separate mask, since these bytes belong to other classes too. */
export const SEPARATOR = 1024;
/** The third byte of a literal prefix that may be anywhere: see teddy.ts. */
export const ANYWHERE = 4096;
/** The first byte of a word that begins like a known one: see word-pass.ts. */
export const WORD = 8192;
/** Upper case after lower case, where a new word begins (camel case). */
export const CAMEL_CASE = 65536;
/** Bytes within reach of a context word. */
export const NEAR_LABEL = 32768;
export const LINE_END = 16384;
export const SEPARATORS = '=:>';

export const CLASS_OF: Uint16Array = Uint16Array.from({ length: 256 }, (_, byte) => classOf(byte));

function classOf(byte: number): number {
  const c = String.fromCharCode(byte);
  if (/[0-9]/.test(c)) return DIGIT;
  if (/[A-Z]/.test(c)) return UPPER;
  if (/[a-z]/.test(c)) return LOWER;
  if (NOTABLES.includes(c)) return NOTABLE;
  const at = ' -.:@'.indexOf(c);
  return at === -1 ? OTHER : SPACE << at;
}

const known = new WeakMap<ByteSet, number>();

/** The classes that contain a byte of the set. */
export function classesOf(set: ByteSet): number {
  const before = known.get(set);
  if (before !== undefined) return before;
  let classes = 0;
  for (let byte = 0; byte < 256; byte++) if (set[byte] === 1) classes |= CLASS_OF[byte]!;
  known.set(set, classes);
  return classes;
}
