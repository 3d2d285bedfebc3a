/**
 * Byte classes used by detectors. Every structural byte is ASCII and never occurs inside a multi-byte UTF-8 character, so nothing is
 * decoded before a hit. Bytes from 0x80 on count as letters in names and as word boundaries elsewhere.
 */
export const DIGIT = 1;
export const UPPER = 2;
export const LOWER = 4;

/** DIGIT, UPPER, LOWER or 0. */
export const CLASS = new Uint8Array(256);
for (let b = 48; b <= 57; b++) CLASS[b] = DIGIT;
for (let b = 65; b <= 90; b++) CLASS[b] = UPPER;
for (let b = 97; b <= 122; b++) CLASS[b] = LOWER;

export const SPACE = 0x20;
export const DASH = 0x2d;
export const DOT = 0x2e;
export const COLON = 0x3a;
export const NEWLINE = 0x0a;

/** Lookup table with 1 for the bytes of `ranges`, written as pairs: 'azAZ09' or, for single bytes, '__--'. */
export function byteSet(ranges: string): Uint8Array {
  const table = new Uint8Array(256);
  for (let i = 0; i < ranges.length; i += 2) {
    for (let b = ranges.charCodeAt(i); b <= ranges.charCodeAt(i + 1); b++) table[b] = 1;
  }
  return table;
}

export const HEX = byteSet('09afAF');
export const BASE64URL = byteSet('azAZ09__--');

export function isDigit(byte: number): boolean {
  return byte >= 48 && byte <= 57;
}

export function isAlnum(byte: number): boolean {
  return CLASS[byte] !== 0;
}

/** The end of the run of `set` that starts at `from`, limited to `max` bytes. */
export function runEnd(bytes: Buffer, from: number, max: number, set: Uint8Array): number {
  const stop = from + max;
  let i = from;
  while (i < stop && set[bytes[i]!] === 1) i++;
  return i;
}

/** Like `runEnd`, to the left: the start of the run that ends before `to`. */
export function runStart(bytes: Buffer, to: number, max: number, set: Uint8Array): number {
  const stop = to - max;
  let i = to;
  while (i > stop && set[bytes[i - 1]!] === 1) i--;
  return i;
}

export function textOf(bytes: Buffer, from: number, to: number): string {
  return bytes.toString('latin1', from, to);
}

/** Rejects parts of a longer number: no letter or digit next to it, and no "-7" or ".7" that continues it. */
export function standsAlone(bytes: Buffer, start: number, end: number): boolean {
  const after = bytes[end]!;
  if (!beginsAt(bytes, start) || isAlnum(after)) return false;
  return !((after === DASH || after === DOT) && isAlnum(bytes[end + 1]!) && !endsSentence(bytes, end));
}

export function beginsAt(bytes: Buffer, start: number): boolean {
  const before = bytes[start - 1]!;
  return !isAlnum(before) && !((before === DASH || before === DOT) && isAlnum(bytes[start - 2]!));
}

/** "…6789.Next" ends a sentence (a missing space), "…6789.12" does not. */
function endsSentence(bytes: Buffer, at: number): boolean {
  return bytes[at] === DOT && CLASS[bytes[at + 1]!] === UPPER;
}
