/** What people call the columns of their tables, in twelve languages (headers.json). */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Kinds of columns that must be found. */
export const SENSITIVE = [
  ...['first_name', 'last_name', 'full_name', 'email', 'phone', 'street', 'full_address', 'postal_code'],
  ...['birth_date', 'national_id', 'iban', 'card', 'user_name', 'password', 'salary', 'ip'],
] as const;

/** Kinds of columns in which nothing must be found. In `city` an address may be found. */
const NEUTRAL = [
  ...['city', 'product', 'quantity', 'sku', 'created', 'status', 'notes', 'order_number', 'record_id'],
  ...['uuid', 'price', 'counter'],
] as const;

export type ColumnKind = (typeof SENSITIVE)[number] | (typeof NEUTRAL)[number];

export const COLUMNS: readonly ColumnKind[] = [...SENSITIVE, ...NEUTRAL];

/** So many tables show all names. */
export const ALTERNATIVES = 3;

/** As in tables that programs write, whatever the language of the values is. */
const SHORT = 'short';

type Names = Readonly<Record<string, readonly string[]>>;
const NAMES: Readonly<Record<string, Names>> = JSON.parse(
  readFileSync(join(import.meta.dirname, 'headers.json'), 'utf8'),
);

export const LANGUAGES: readonly string[] = Object.keys(NAMES).filter((code) => code !== SHORT);

/** One of the names of a column; a table uses the same alternative for all of its columns. */
export function headerOf(language: string, kind: ColumnKind, alternative: number): string {
  const names = NAMES[language]![kind]!;
  return names[alternative % names.length]!;
}

export function shortHeaderOf(kind: ColumnKind): string {
  return headerOf(SHORT, kind, 0);
}
