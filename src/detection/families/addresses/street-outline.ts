/**
 * Cheap byte tests for what must occur in an address. Most numbers before a word are no house number, and the expressions of
 * street-address.ts are expensive. All tests may have false positives but no false negatives.
 */
import { byteSet, CLASS, isDigit, LOWER, SPACE, UPPER } from '../../bytes.ts';
import { KINDS, PREFIXES, SUFFIXES, UNITS } from './street-words.ts';

/** Bits of the forms that may match at a position. */
export const STREET = { numbered: 1, prefixed: 2, suffixed: 4, french: 8, box: 16 } as const;
/** A number follows a word. */
export const HAS_HOUSE = 32;

const MAX_LENGTH = 96;
const MAX_WORDS = 12;
/** The longest house number, with a letter, a second number and a comma: 123456a-1234, */
const MAX_NUMBER_LENGTH = 14;
const DOT = 0x2e;

const WORD = byteSet("azAZ09\x80\xff''..,,--//");
const NAME_TAIL = byteSet("azAZ\x80\xff''--");
const BOX_HEAD = byteSet('PPACBBGGLLppUUuuHH');
const UNIT_HEAD = byteSet(UNITS.replaceAll(/(?:^|\|)(.)[^|]*/g, '$1$1'));
const UNIT_GAP = byteSet('\t\r  \xa0\xa0,,>>??||');

/** Index of three bytes, five bits of each; case is ignored. */
function threeOf(first: number, second: number, third: number): number {
  return (first & 31) | ((second & 31) << 5) | ((third & 31) << 10);
}

/** Hash of the first letter, the last letter and the length. */
function outlineOf(first: number, last: number, length: number): number {
  return (first & 31) | ((last & 31) << 5) | ((length & 31) << 10);
}

const KIND_OUTLINES = tableOf(KINDS, (word) => [
  outlineOf(word.charCodeAt(0), word.charCodeAt(word.length - 1), word.length),
]);
const PREFIX_HEADS = tableOf(`${PREFIXES}|${PREFIXES.toLowerCase()}`, (word) =>
  word.length > 2
    ? [threeOf(word.charCodeAt(0), word.charCodeAt(1), word.charCodeAt(2))]
    : any().map((third) => threeOf(word.charCodeAt(0), word.charCodeAt(1), third)),
);
const SUFFIX_TAILS = tableOf(SUFFIXES, (word) => {
  const [last = 0, second = -1, third = -1] = [...word].reverse().map((letter) => letter.charCodeAt(0));
  return (second < 0 ? any() : [second]).flatMap((b) =>
    (third < 0 ? any() : [third]).map((c) => threeOf(last, b, c)),
  );
});

function any(): number[] {
  return Array.from({ length: 32 }, (_, bits) => bits);
}

function tableOf(words: string, keysOf: (word: string) => number[]): Uint8Array {
  const table = new Uint8Array(1 << 15);
  for (const word of words.split('|')) for (const key of keysOf(word)) table[key] = 1;
  return table;
}

/** The forms that may match from `start` on. */
export function outlineAt(bytes: Buffer, start: number): number {
  const numbered = isDigit(bytes[start]!);
  const from = numbered ? behindNumber(bytes, start) : start;
  if (from === 0) return 0;
  const first = bytes[from]!;
  const prefix = PREFIX_HEADS[threeOf(first, bytes[from + 1]!, bytes[from + 2]!)] === 1;
  let forms = numbered ? 0 : BOX_HEAD[first]! * STREET.box;
  // 12 bis rue, 12 ter rue
  if (numbered && (prefix || first === 0x62 || first === 0x74)) forms |= STREET.french;
  const stop = start + MAX_LENGTH;
  let at = from;
  for (let words = 0; words < MAX_WORDS; words++) {
    if (words > 0) forms |= furtherWord(bytes, at, numbered, prefix);
    const word = at;
    while (at < stop && WORD[bytes[at]!] === 1) at++;
    if (at >= stop || bytes[at] !== SPACE) break;
    if (isPlainWord(bytes, word, at) && !(words === 0 && prefix)) break;
    at++;
  }
  return forms;
}

/** A long lower-case word is not part of an address, unless it is the last one before a number. */
function isPlainWord(bytes: Buffer, from: number, end: number): boolean {
  return CLASS[bytes[from]!] === LOWER && end - from > MAX_LINK_LENGTH && !isDigit(bytes[end + 1]!);
}

/** degli, della */
const MAX_LINK_LENGTH = 5;

function behindNumber(bytes: Buffer, start: number): number {
  for (let i = start + 1; i < start + MAX_NUMBER_LENGTH; i++) if (bytes[i] === SPACE) return i + 1;
  return 0;
}

function furtherWord(bytes: Buffer, at: number, numbered: boolean, prefix: boolean): number {
  const first = bytes[at]!;
  if (isDigit(first)) {
    const end = bytes[at - 2] === DOT ? at - 3 : at - 2;
    const suffix = SUFFIX_TAILS[threeOf(bytes[end]!, bytes[end - 1]!, bytes[end - 2]!)] === 1;
    return HAS_HOUSE | (prefix ? STREET.prefixed : 0) | (suffix ? STREET.suffixed : 0);
  }
  return numbered && CLASS[first] === UPPER && isKind(bytes, at) ? STREET.numbered : 0;
}

function isKind(bytes: Buffer, at: number): boolean {
  let end = at + 1;
  while (end < at + 12 && CLASS[bytes[end]!]! > 1) end++;
  return KIND_OUTLINES[outlineOf(bytes[at]!, bytes[end - 1]!, end - at)] === 1;
}

/** Whether the word at `start`, or after a number there, may name a flat. */
export function mayBeUnit(bytes: Buffer, start: number): boolean {
  let i = start;
  while (i < start + MAX_LENGTH && isDigit(bytes[i]!)) i++;
  return UNIT_HEAD[bytes[bytes[i] === SPACE ? i + 1 : i]!] === 1;
}

/** Whether a flat, a suite or a floor may be named at `at`, after a comma or blanks. */
export function mayNameUnit(bytes: Buffer, at: number): boolean {
  let i = at;
  while (i < at + 40 && UNIT_GAP[bytes[i]!] === 1) i++;
  return UNIT_HEAD[bytes[i]!] === 1;
}

/**
 * The end of "12 Words With Capitals" if nothing after it can extend the address; 0 if there is none, -1 if only the expression can
 * decide.
 */
export function plainEnd(bytes: Buffer, start: number): number {
  let i = start;
  while (i < start + 7 && isDigit(bytes[i]!)) i++;
  if (i === start + 7 || bytes[i] !== SPACE) return 0;
  let end = 0;
  for (let words = 0; words < 5 && bytes[i] === SPACE; words++) {
    const word = capitalEnd(bytes, i + 1, start + MAX_LENGTH);
    if (word === 0) break;
    end = i = word;
  }
  if (end === 0) return 0;
  const after = bytes[end]!;
  const unsure = CLASS[after] !== 0 || after === 0x5f || (after === SPACE && isDigit(bytes[end + 1]!));
  return unsure || end >= start + MAX_LENGTH - 1 ? -1 : end;
}

function capitalEnd(bytes: Buffer, at: number, stop: number): number {
  const first = bytes[at]!;
  if (CLASS[first] !== UPPER && first < 0x80) return 0;
  let end = at + 1;
  while (end < stop && NAME_TAIL[bytes[end]!] === 1) end++;
  return bytes[end] === DOT ? end + 1 : end;
}
