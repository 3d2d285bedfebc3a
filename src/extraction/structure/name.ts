import { isUtf8 } from 'node:buffer';

const MAX_LENGTH = 64;
/** Replaces a name that must not be shown. */
export const HIDDEN = '*';

/** Bytes as text for a person: UTF-8 where it is valid, else one character per byte. */
export function textOf(bytes: Uint8Array, from: number, to: number): string {
  let start = from;
  // A bounded look-behind may begin inside a character.
  while (start < to && start < from + 3 && (bytes[start]! & 0xc0) === 0x80) start++;
  const slice = Buffer.from(bytes.buffer, bytes.byteOffset + start, Math.max(0, to - start));
  return slice.toString(isUtf8(slice) ? 'utf8' : 'latin1');
}

/** The last position of `byte` in `[min, from]`; -1: none. */
export function lastByte(bytes: Uint8Array, byte: number, from: number, min: number): number {
  let i = from;
  while (i >= min && bytes[i] !== byte) i--;
  return i < min ? -1 : i;
}

/**
 * The name, if it may be shown. Names come from the data, which may be keyed by personal values: a name that looks like an address, a
 * number or a token is replaced by a star.
 */
export function shownName(name: string): string {
  return isValueLike(name) ? HIDDEN : name;
}

/** Called for every value with a name, so it is a loop instead of a RegExp. */
export function isValueLike(name: string): boolean {
  if (name.length > MAX_LENGTH) return true;
  let digits = 0;
  for (let i = 0; i < name.length; i++) {
    const code = name.charCodeAt(i);
    if (code >= 0x30 && code <= 0x39) digits++;
    else if (code === 0x40 || code < 0x20 || (code >= 0x7f && code < 0xa0)) return true; // @, control characters
  }
  return digits >= 5;
}
