/**
 * What a listing or a file may say and PostgreSQL cannot hold, as the nearest thing that it can. This is for values that occur; a row that is
 * refused for any other reason is left to whoever writes it (rejected-data.ts).
 */

/** PostgreSQL's text holds every character but one, and a name or a finding may hold that one: it is shown as its picture. */
export function sanitizeText(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '\u2400') : text;
}

/** An escape that `jsonb` refuses, the zero or half of a surrogate pair, behind an even number of backslashes. */
const REJECTED_ESCAPE = /(?<!\\)((?:\\\\)*)\\u(0000|d[89a-f][0-9a-f]{2})/g;

/** The same for JSON, in which these characters are spelled out. */
export function sanitizeJson(value: object): string {
  const json = JSON.stringify(value);
  return json.includes('\\u')
    ? json.replace(REJECTED_ESCAPE, (_, before: string, code: string) =>
        code === '0000' ? `${before}\\u2400` : `${before}\\ufffd`,
      )
    : json;
}

/** Whether PostgreSQL holds the text as it is. A lone half of a surrogate pair would reach it as another character. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** Whether no character of this JSON would have to be replaced. */
export function isStorableJson(json: string): boolean {
  return !json.includes('\\u') || json.search(REJECTED_ESCAPE) === -1;
}

/** The largest number that both a `bigint` and a double hold. */
const MAX_BYTES = 2 ** 63 - 1024;

/** A number of bytes that fits into a `bigint`. What is no number of bytes is 0. */
export function sanitizeBytes(bytes: number): number {
  if (Number.isSafeInteger(bytes) && bytes >= 0) return bytes;
  return bytes > 0 ? Math.min(Math.trunc(bytes), MAX_BYTES) : 0;
}

/** The first day of `timestamptz`, in 4714 BC, and the last of a JavaScript `Date`, which ends before that of PostgreSQL. */
const MIN_MS = -210_866_803_200_000;
const MAX_MS = 8.64e15;

/** Milliseconds since 1970. Null: not known, or not a time that can be stored and shown. */
export function sanitizeTime(ms: number | null): number | null {
  return ms !== null && ms >= MIN_MS && ms <= MAX_MS ? ms : null;
}
