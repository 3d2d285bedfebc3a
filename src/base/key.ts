/**
 * An object's key is a string of bytes: one character (0–255) per byte. JavaScript's `<` then is byte
 * order, the order in which S3 lists and PostgreSQL compares `bytea`, and names that are not valid UTF-8
 * keep every byte. Never display a key directly: use `displayKey`.
 */
export type Key = string & { readonly brand: 'key' };

/** Sorts before every other key; as the start of a range: from the beginning. */
export const FIRST_KEY = '' as Key;

export function keyOf(text: string): Key {
  return Buffer.from(text, 'utf8').toString('latin1') as Key;
}

export function keyFromBytes(bytes: Uint8Array): Key {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1') as Key;
}

export function keyBytes(key: Key): Buffer {
  return Buffer.from(key, 'latin1');
}

/**
 * A key whose name contains a value that must not be stored has a sealed form: the part before the value, a
 * mark, the rest with its values masked, a NUL, and the whole key encrypted (sealed-key.ts). A NUL at the
 * end belongs to the key (see segments/segment.ts). Without the value's bytes it sorts before every key
 * with the same prefix.
 */
export const SEAL = '\0~';
const SEALED = /^([^\0]*)\0~([^\0]*)\0([\w-]+)(\0?)$/;

export interface SealedKey {
  readonly before: string;
  readonly masked: string;
  readonly token: string;
  readonly end: string;
}

/** Returns null if it is not sealed. */
export function parseSealedKey(key: Key): SealedKey | null {
  if (!key.includes(SEAL)) return null;
  const [, before, masked, token, end] = SEALED.exec(key) ?? [];
  return before === undefined ? null : { before, masked: masked!, token: token!, end: end! };
}

/** The key with its values masked; most keys have none. */
export function maskedKey(key: Key): Key {
  const sealed = parseSealedKey(key);
  return sealed === null ? key : ((sealed.before + sealed.masked + sealed.end) as Key);
}

const ordinary = /^[ -[\]-~]*$/;
const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * UTF-8 where it is valid; control characters, backslashes and invalid bytes as `\n`, `\\`, `\x1b`, `\u0085`:
 * one line, and unique for each key. A key that is not valid UTF-8 is shown byte by byte.
 */
export function displayKey(stored: Key): string {
  if (ordinary.test(stored)) return stored;
  const key = maskedKey(stored);
  try {
    return decoder
      .decode(keyBytes(key))
      .replace(/[\\\p{Cc}\u2028\u2029\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]/gu, (c) =>
        escapeChar(c, 0x7f),
      );
  } catch {
    return key.replace(/[^ -[\]-~]/g, (c) => escapeChar(c, 0xff));
  }
}

/** `\xff` is always a byte: above `lastByte` it is a character, `\u0085`. */
function escapeChar(c: string, lastByte: number): string {
  if (c === '\\') return '\\\\';
  if (c === '\n') return '\\n';
  const code = c.charCodeAt(0);
  return code > lastByte
    ? `\\u${code.toString(16).padStart(4, '0')}`
    : `\\x${code.toString(16).padStart(2, '0')}`;
}
