import { type Key, keyBytes, keyOf } from '../../base/key.ts';

/** The key as text; null when its bytes are no UTF-8: then no store has it. */
export function textOf(key: Key): string | null {
  const text = keyBytes(key).toString('utf8');
  return keyOf(text) === key ? text : null;
}

/** The last character that may stand in a text. */
export const MAX_CHARACTER = '\u{10fffd}';

/**
 * A text that is not after the bound, as near to it as is of use. Bounds are bytes, and a store can only be asked with text: what
 * lies between the two is filtered out by the caller. Where the bytes stop being text, it is the character before the
 * stray bytes and nearly all that begins with it: `a\xff` becomes `a` and twice the last character.
 */
export function textNotAfter(bound: Key): string {
  const bytes = keyBytes(bound);
  const text = bytes.toString('utf8');
  if (keyOf(text) === bound) return text;
  const length = textLength(bytes);
  return bytes.toString('utf8', 0, length) + charBefore(bytes.subarray(length)) + MAX_CHARACTER;
}

/** How many of the first bytes are whole characters. */
function textLength(bytes: Buffer): number {
  const text = bytes.toString('utf8');
  let length = 0;
  for (const char of text) {
    const wanted = Buffer.from(char);
    if (!bytes.subarray(length, length + wanted.length).equals(wanted)) break;
    length += wanted.length;
  }
  return length;
}

/** The last character that sorts before bytes that are none. There is one: stray bytes are beyond ASCII. */
function charBefore(stray: Buffer): string {
  let low = 0x7f;
  for (let high = SCALARS; high - low > 1; ) {
    const middle = (low + high) >> 1;
    if (Buffer.compare(Buffer.from(charAt(middle)), stray) < 0) low = middle;
    else high = middle;
  }
  return charAt(low);
}

/** Characters are counted without the surrogates, which are none. */
const SURROGATES = 0x800;
const SCALARS = 0x110000 - SURROGATES;

function charAt(index: number): string {
  const code = index < 0xd800 ? index : index + SURROGATES;
  // The last two of every 65,536 are reserved; a strict server refuses them.
  return String.fromCodePoint((code & 0xfffe) === 0xfffe ? code - 2 : code);
}
