import type { FilterRecord } from './record.ts';

export type FieldName = Exclude<keyof FilterRecord, 'counts'>;

/** `name` is text out of a fixed vocabulary: quotes are optional and case is ignored. */
export type FieldType = 'text' | 'name' | 'number' | 'size' | 'date' | 'tier';

export interface FilterField {
  readonly name: FieldName;
  readonly type: FieldType;
  readonly level: 'object' | 'finding';
  readonly about: string;
}

const at =
  (level: FilterField['level']) =>
  (name: FieldName, type: FieldType, about: string): FilterField => ({ name, type, level, about });
const object = at('object');
const finding = at('finding');

export const FILTER_FIELDS: readonly FilterField[] = [
  object('path', 'text', 'the object’s path, such as hr/2025/staff.csv'),
  object('folder', 'text', 'the path without its last part'),
  object('extension', 'name', 'csv, pdf, …; in lower case, without the dot'),
  object('size', 'size', 'bytes, such as 1200, 10KB (10,000) or 1MiB (1,048,576)'),
  object(
    'modified',
    'date',
    "when it was changed last, such as '2025-01-31' (a day of UTC) or '2025-01-31T10:00Z'",
  ),
  object('tier', 'tier', 'MINIMAL < LOW < MEDIUM < HIGH < CRITICAL'),
  object('score', 'number', 'the risk, 0 to 100'),
  object('outcome', 'name', 'scanned, unchanged, partial, skipped or dead'),
  finding('detector', 'name', 'the detector, such as SSN or EMAIL'),
  finding('category', 'name', 'the detector’s category'),
  finding('confidence', 'number', 'how sure it is, 0 to 1'),
  finding('line', 'number', 'line of its start, from 1'),
  finding('column', 'number', 'column of its start, from 1'),
  finding('field', 'text', 'column or key that contains it, if any'),
  finding('part', 'text', 'file inside an archive, or sheet, if any'),
  finding('masked', 'text', 'the masked value'),
  finding('fingerprint', 'text', 'the same for the same value'),
];

export const FILTER_FUNCTIONS = [
  { name: 'has', usage: 'has(TYPE)', about: 'the object has a finding of this detector' },
  { name: 'count', usage: 'count(TYPE)', about: 'how many it has of this detector; count() counts all' },
  { name: 'missing', usage: 'missing(FIELD)', about: 'the field has no value' },
] as const;
export type FunctionName = (typeof FILTER_FUNCTIONS)[number]['name'];

/** The outcomes of objects: the vocabulary of `outcome`. */
export const OUTCOMES: readonly string[] = ['scanned', 'unchanged', 'partial', 'skipped', 'dead'];

/** Case-insensitive. */
export function findField(name: string): FilterField | undefined {
  return FILTER_FIELDS.find((field) => field.name === name.toLowerCase());
}

export function findFunction(name: string): FunctionName | undefined {
  return FILTER_FUNCTIONS.find((one) => one.name === name.toLowerCase())?.name;
}
