/**
 * Whether a value is in a written sentence: short lower-case words with blanks around it, and none of the characters of programs, tables
 * and markup. In a sentence a single name, a year or a home page usually refers to a person, elsewhere rarely. Only called for values
 * that are about to be accepted; reads a bounded number of bytes to each side, within the line.
 */
import { byteSet, CLASS, COLON, DIGIT, isAlnum, LOWER, NEWLINE, SPACE, UPPER } from '../../bytes.ts';

const BACK = 80;
const AHEAD = 80;
const MIN_WORDS = 3;
const SLASH = 0x2f;
const COMMA = 0x2c;
const OPENING = 0x28;
const QUESTION = 0x3f;
/** Characters that don't occur in sentences. */
const CODE = byteSet('{{}}[[]]<<==``__||\\\\**$$^^~~\t\t');

/** `start` and `end`: the value, which is skipped. */
export function isProse(bytes: Buffer, start: number, end: number): boolean {
  const before = smallWords(bytes, lineStart(bytes, start), start);
  if (before === -1) return false;
  const after = smallWords(bytes, end, lineEnd(bytes, end));
  return after !== -1 && before + after >= MIN_WORDS;
}

/** Like `isProse`, and after a word of the sentence: the beginning of a line may be a log's timestamp or the head of an entry. */
export function isWithinProse(bytes: Buffer, start: number, end: number): boolean {
  if (bytes[start - 1] !== SPACE) return false;
  const last = bytes[start - 2]!;
  return (CLASS[last] === LOWER || last === COMMA) && isProse(bytes, start, end);
}

/** Whether a name is near: a capitalised word that does not begin a sentence. */
export function namesSomething(bytes: Buffer, start: number, end: number): boolean {
  return hasName(bytes, lineStart(bytes, start), start) || hasName(bytes, end, lineEnd(bytes, end));
}

function hasName(bytes: Buffer, from: number, to: number): boolean {
  for (let i = from + 2; i < to - 1; i++) {
    if (bytes[i - 1] !== SPACE || CLASS[bytes[i]!] !== UPPER) continue;
    if ((CLASS[bytes[i - 2]!] === LOWER || bytes[i - 2] === COMMA) && CLASS[bytes[i + 1]!]! > DIGIT)
      return true;
  }
  return false;
}

function lineStart(bytes: Buffer, at: number): number {
  let from = at;
  while (from > at - BACK && bytes[from - 1] !== NEWLINE && bytes[from - 1] !== 0) from--;
  return from;
}

function lineEnd(bytes: Buffer, at: number): number {
  let to = at;
  while (to < at + AHEAD && bytes[to] !== NEWLINE && bytes[to] !== 0) to++;
  return to;
}

/** Counts lower-case words between blanks; -1: this is no sentence. */
function smallWords(bytes: Buffer, from: number, to: number): number {
  let words = 0;
  let letters = -1; // of the current word; -1: no word
  for (let i = from; i < to; i++) {
    const byte = bytes[i]!;
    if (CODE[byte] === 1 || isCode(bytes, i)) return -1;
    if (CLASS[byte] === LOWER) {
      if (letters >= 0) letters++;
      continue;
    }
    if (letters > 0 && ENDS_WORD[byte] === 1) words++;
    letters = byte === SPACE || byte === OPENING ? 0 : -1;
  }
  return letters > 0 ? words + 1 : words;
}

const ENDS_WORD = byteSet("  ,,..;;::!!??''))");

/** call(, a//b, a::b, end of a statement. */
function isCode(bytes: Buffer, at: number): boolean {
  const byte = bytes[at]!;
  const next = bytes[at + 1]!;
  if (byte === OPENING) return isAlnum(bytes[at - 1]!);
  if (byte === SLASH) return next === SLASH && bytes[at - 1] !== COLON;
  if (byte === COLON) return next === COLON;
  if (byte === QUESTION) return next === COLON || next === 0x2e;
  return byte === 0x3b && next !== SPACE;
}
