/**
 * Bytes as the kernel sees them: ten classes that part all bytes. It keeps one bit a byte for each class but the last, and a
 * pattern's sets are rounded up to classes; what is lost by that the verifiers look at again.
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
/** Rarer bytes that patterns ask for, all in one: the first bytes of a value tell them apart. */
export const NOTABLE = 256;
export const OTHER = 512;
export const ANY = 1023;

/** Digits, and what is written between groups of them. */
export const SEPARATED: number = DIGIT | SPACE | DASH | DOT | NOTABLE;
export const LETTER: number = UPPER | LOWER;
export const ALNUM: number = LETTER | DIGIT;
/** What tokens of issuers are made of, and a little more. */
export const TOKEN: number = ALNUM | DASH | DOT | NOTABLE;

export const NOTABLES = '+(/_#$';

/** What may stand between a name and its value. A mask of its own, not a class: all three belong to other classes too. */
export const SEPARATOR = 1024;
/** The third byte of a beginning: see teddy.ts. */
export const ANYWHERE = 4096;
/** The first byte of a word that begins like a known one: see word-pass.ts. */
export const WORD = 8192;
/** Capitals behind small letters: another word begins. */
export const HUMP = 65536;
/** Bytes that a context word may speak to. */
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

/** The classes that have a byte of the set. */
export function classesOf(set: ByteSet): number {
  const before = known.get(set);
  if (before !== undefined) return before;
  let classes = 0;
  for (let byte = 0; byte < 256; byte++) if (set[byte] === 1) classes |= CLASS_OF[byte]!;
  known.set(set, classes);
  return classes;
}
