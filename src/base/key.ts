/**
 * An object's key is a string of bytes: one character (0–255) per byte. JavaScript's `<` then is byte order, the
 * order in which S3 lists and PostgreSQL compares `bytea`, and names that are not valid UTF-8 keep every byte.
 * A key is never shown as it is: `displayKey` is for people.
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

const ordinary = /^[ -[\]-~]*$/;
const decoder = new TextDecoder('utf-8', { fatal: true });

/** UTF-8 where it is valid; control characters, backslashes and stray bytes as `\n`, `\\`, `\xff`: one line, unambiguous. */
export function displayKey(key: Key): string {
  if (ordinary.test(key)) return key;
  try {
    return escapeControls(decoder.decode(keyBytes(key)));
  } catch {
    return escapeControls(key).replace(/[\x80-\xff]/g, hexEscape);
  }
}

function escapeControls(text: string): string {
  return text.replace(/[\\\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, (c) => {
    if (c === '\\') return '\\\\';
    if (c === '\n') return '\\n';
    return c.codePointAt(0)! > 0xff ? `\\u${c.codePointAt(0)!.toString(16)}` : hexEscape(c);
  });
}

function hexEscape(c: string): string {
  return `\\x${c.charCodeAt(0).toString(16).padStart(2, '0')}`;
}
