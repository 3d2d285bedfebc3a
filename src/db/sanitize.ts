/**
 * Replaces values of listings or files that PostgreSQL cannot store by the nearest possible ones. Only for
 * values that occur in practice; other rejected rows are handled by the writer (rejected-data.ts).
 */

/**
 * PostgreSQL's text can't contain NUL, which names and findings may contain: it is replaced by its control
 * picture.
 */
export function sanitizeText(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '\u2400') : text;
}

/** An escape that `jsonb` rejects: NUL or an unpaired surrogate, after an even number of backslashes. */
const REJECTED_ESCAPE = /(?<!\\)((?:\\\\)*)\\u(0000|d[89a-f][0-9a-f]{2})/g;

/** The same for JSON, in which these characters are escaped. */
export function sanitizeJson(value: object): string {
  const json = JSON.stringify(value);
  return json.includes('\\u')
    ? json.replace(REJECTED_ESCAPE, (_, before: string, code: string) =>
        code === '0000' ? `${before}\\u2400` : `${before}\\ufffd`,
      )
    : json;
}

/**
 * Whether PostgreSQL stores the text unchanged. An unpaired surrogate would be converted to another
 * character.
 */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** Whether no character of this JSON would have to be replaced. */
export function isStorableJson(json: string): boolean {
  return !json.includes('\\u') || json.search(REJECTED_ESCAPE) === -1;
}

/** The largest number that both a `bigint` and a double can represent. */
const MAX_BYTES = 2 ** 63 - 1024;

/** A byte count that fits into a `bigint`. Invalid values become 0. */
export function sanitizeBytes(bytes: number): number {
  if (Number.isSafeInteger(bytes) && bytes >= 0) return bytes;
  return bytes > 0 ? Math.min(Math.trunc(bytes), MAX_BYTES) : 0;
}

/**
 * The first day of `timestamptz`, in 4714 BC, and the last of a JavaScript `Date`, which ends before that
 * of PostgreSQL.
 */
const MIN_MS = -210_866_803_200_000;
const MAX_MS = 8.64e15;

/** Milliseconds since 1970. Null: unknown, or outside the range that can be stored and displayed. */
export function sanitizeTime(ms: number | null): number | null {
  return ms !== null && ms >= MIN_MS && ms <= MAX_MS ? ms : null;
}
