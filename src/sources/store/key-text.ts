import { type Key, keyBytes, keyOf } from '../../base/key.ts';

/** The key as text; null if its bytes are not valid UTF-8: then no store has it. */
export function textOf(key: Key): string | null {
  const text = keyBytes(key).toString('utf8');
  return keyOf(text) === key ? text : null;
}

/** The highest character allowed in a text. */
export const MAX_CHARACTER = '\u{10fffd}';

/**
 * A text that is not after the bound, as close to it as is useful. Bounds are bytes, but requests to a store take text; the caller
 * filters out what lies between the two. Where the bytes stop being valid, the text ends with the highest character below the invalid
 * bytes and nearly everything that begins with it: `a\xff` becomes `a` and twice the highest character.
 */
export function textNotAfter(bound: Key): string {
  const bytes = keyBytes(bound);
  const text = bytes.toString('utf8');
  if (keyOf(text) === bound) return text;
  const length = textLength(bytes);
  return bytes.toString('utf8', 0, length) + charBefore(bytes.subarray(length)) + MAX_CHARACTER;
}

/** The number of leading bytes that are complete characters. */
function textLength(bytes: Buffer): number {
  const text = bytes.toString('utf8');
  let length = 0;
  for (const char of text) {
    const expected = Buffer.from(char);
    if (!bytes.subarray(length, length + expected.length).equals(expected)) break;
    length += expected.length;
  }
  return length;
}

/** The highest character that sorts before the invalid bytes. One exists, since invalid bytes are above ASCII. */
function charBefore(stray: Buffer): string {
  let low = 0x7f;
  for (let high = SCALARS; high - low > 1; ) {
    const middle = (low + high) >> 1;
    if (Buffer.compare(Buffer.from(charAt(middle)), stray) < 0) low = middle;
    else high = middle;
  }
  return charAt(low);
}

/** Characters are counted without the surrogates, which are not characters. */
const SURROGATES = 0x800;
const SCALARS = 0x110000 - SURROGATES;

function charAt(index: number): string {
  const code = index < 0xd800 ? index : index + SURROGATES;
  // The last two code points of each plane are noncharacters, which a strict server rejects.
  return String.fromCodePoint((code & 0xfffe) === 0xfffe ? code - 2 : code);
}
