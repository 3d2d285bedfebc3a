/**
 * What is expected in the columns of a table. Decided once for each text by the names of its columns and the first rows, and then applied
 * to every cell: "if nine of ten values in a labelled column are names, so is the tenth". The decision depends on the head of the text
 * only, so a scan that begins in the middle comes to the same one.
 */
import { NEWLINE } from '../bytes.ts';
import type { Detector } from '../detector.ts';
import { CELL_TESTS, digitsIn, valueOfCell } from './cell-values.ts';
import { verifyCell } from './cell-verifier.ts';
import { columnLabel } from './column-label.ts';
import type { LabelKind } from './label-words.ts';
import { type RowFormat, RowReader } from './row-reader.ts';
import {
  checkedId,
  hasEverydayWord,
  isKnownName,
  kindAmongPeople,
  kindOfValues,
  shareOf,
} from './unlabelled-columns.ts';

/** A table as extraction describes it. */
export interface TableShape extends RowFormat {
  /** In the first row; null: it has values. */
  readonly names: readonly string[] | null;
  /** The first bytes of the text, its header included. Valid while the text begins. */
  readonly head: Uint8Array;
}

/** What is expected in a column: matches of the detector; null: nothing that only resembles a value. */
export interface ColumnRule {
  readonly detector: Detector | null;
  readonly confidence: number;
  /** The value of a cell, or null if it is something else. */
  accepts(text: string): boolean;
}

export interface TableRules {
  /** Rows that hold names of columns. */
  readonly headers: number;
  readonly rules: readonly (ColumnRule | null)[];
}

const SAMPLE_BYTES = 32 * 1024;
const SAMPLE_ROWS = 60;
const STRONG = 0.85;
const WEAK = 0.75;
/** Share of the values of a column that must pass the test of its kind. */
const MIN_SHARE = 0.7;
/** Share of the names in a column with a weak label that must be known. */
const MIN_KNOWN_NAMES = 0.15;
const MAX_EVERYDAY = 0.2;
const MIN_ADDRESSES_WITH_NUMBER = 0.5;
const MIN_DISTINCT = 0.3;
const FEW = 5;
/** Known labels in a second header. */
const MIN_LABELS = 3;

/** Kinds that one detector reports, whatever the values are like. */
const DETECTOR_OF: Readonly<Partial<Record<LabelKind, string>>> = {
  person_name: 'NAME',
  address: 'ADDRESS',
  email: 'EMAIL',
  phone: 'PHONE',
  postal_code: 'POSTAL_CODE',
  birth_part: 'DATE_DOB',
  birth_date: 'DATE_DOB',
  salary: 'SALARY',
  user_name: 'USERNAME',
  password: 'PASSWORD',
  iban: 'IBAN',
  card: 'CREDIT_CARD',
  passport: 'PASSPORT',
  driver_license: 'DRIVER_LICENSE',
};

export function tableRules(
  shape: TableShape,
  charset: BufferEncoding,
  detectors: readonly Detector[],
): TableRules {
  const sample = sampleOf(shape, charset);
  const names = shape.names ?? [];
  const first = sample.length > 0 && isHeader(sample[0]!, names) ? 1 : 0;
  const second = first === 1 ? secondHeader(sample[1], sample[2]) : null;
  const headers = second === null ? first : 2;
  const rows = sample.slice(headers);
  const width = Math.max(names.length, ...rows.slice(0, FEW).map((row) => row.length));
  const columns = Array.from({ length: width }, (_, column) => ({
    values: rows.flatMap((row) => valueOfCell(row[column] ?? '')?.text ?? []),
    labels: [names[column], second?.[column]].flatMap((name) => (name ? (columnLabel(name) ?? []) : [])),
  }));
  const known = columns.map(({ values, labels }) =>
    labels.length > 0
      ? firstOf(labels, (label) => ruleFor(label, values, detectors))
      : ruleFor({ kind: kindOfValues(values), weak: true }, values, detectors),
  );
  const isOfPeople = known.some((rule) => PEOPLE.has(rule?.detector?.id ?? ''));
  const rules = columns.map(({ values, labels }, column) =>
    known[column] || labels.length > 0
      ? known[column]!
      : unlabelledRule(column, values, isOfPeople ? rows : null, detectors),
  );
  return { headers, rules };
}

/** What a column is taken for; weak: only if its values support it. */
interface ColumnClaim {
  readonly kind: LabelKind | null;
  readonly weak: boolean;
}

/** Detectors whose columns show that the rows are about people. */
const PEOPLE: ReadonlySet<string> = new Set(['NAME', 'EMAIL', 'PHONE']);

/** `rows`: those of a table about people. */
function unlabelledRule(
  column: number,
  values: readonly string[],
  rows: readonly string[][] | null,
  detectors: readonly Detector[],
): ColumnRule | null {
  const id = checkedId(values, detectors);
  if (id !== null) return { detector: id, confidence: WEAK, accepts: verifierOf(id) };
  if (rows === null) return null;
  const beside = new Set(rows.flatMap((row) => besideOf(row, column)));
  return ruleFor(
    { kind: kindAmongPeople(values, (text) => beside.has(text)), weak: true },
    values,
    detectors,
  );
}

/** The value of the column, if a longer one of its row contains it. */
function besideOf(row: readonly string[], column: number): string[] {
  const text = valueOfCell(row[column] ?? '')?.text;
  return text !== undefined && row.some((cell) => cell.length > text.length + FEW && cell.includes(text))
    ? [text]
    : [];
}

/** Sheets have their header among the rows, other tables of documents do not. */
function isHeader(row: readonly string[], names: readonly string[]): boolean {
  const same = names.filter((name, column) => row[column]?.replaceAll('""', '"').trim() === name);
  return names.length > 0 && same.length >= names.length / 2;
}

function firstOf<A, B>(all: readonly A[], find: (one: A) => B | null): B | null {
  for (const one of all) {
    const found = find(one);
    if (found !== null) return found;
  }
  return null;
}

/** The cells of the first rows. */
function sampleOf(shape: TableShape, charset: BufferEncoding): string[][] {
  const rows: string[][] = [];
  const head = Buffer.from(
    shape.head.buffer,
    shape.head.byteOffset,
    Math.min(shape.head.length, SAMPLE_BYTES),
  );
  const reader = new RowReader(shape, (row, column, _, start, end) => {
    if (row >= SAMPLE_ROWS) return;
    rows[row] ??= [];
    rows[row][column] = head.toString(charset, start, end);
  });
  reader.end(head, head.length, 0);
  // A row that the sample cuts has a wrong last value.
  if (head.at(-1) !== NEWLINE && rows.length > 2) rows.pop();
  return rows;
}

/** A row of labels below the names: more of its cells are known labels than a row of values has. */
function secondHeader(
  row: readonly string[] | undefined,
  next: readonly string[] | undefined,
): readonly string[] | null {
  if (row === undefined || next === undefined) return null;
  const known = labelsIn(row);
  const named = row.every((cell) => digitsIn(cell) < FEW);
  return named && known >= MIN_LABELS && known >= row.length / 3 && known > 2 * labelsIn(next) ? row : null;
}

function labelsIn(row: readonly string[]): number {
  return row.filter((cell) => columnLabel(cell) !== null).length;
}

/** `kind`: null if nothing is known about the column. */
function ruleFor(
  { kind, weak }: ColumnClaim,
  values: readonly string[],
  detectors: readonly Detector[],
): ColumnRule | null {
  if (kind === null || values.length === 0) return null;
  if (kind === 'other') return { detector: null, confidence: 0, accepts: () => true };
  const confidence = weak ? WEAK : STRONG;
  if (kind === 'national_id') return idRule(values, detectors, confidence);
  const detector = detectors.find(({ id }) => id === DETECTOR_OF[kind]);
  if (detector === undefined) return null;
  const accepts = CELL_TESTS[kind] ?? verifierOf(detector);
  if (shareOf(values, accepts) < MIN_SHARE || !isSupported({ kind, weak }, values)) return null;
  return { detector, confidence, accepts };
}

function verifierOf(detector: Detector): (text: string) => boolean {
  return (text) => verifyCell(detector, text) !== null || verifyCell(detector, text.toUpperCase()) !== null;
}

/** The national identifier whose check most values pass. */
function idRule(
  values: readonly string[],
  detectors: readonly Detector[],
  confidence: number,
): ColumnRule | null {
  let best: ColumnRule | null = null;
  let most = MIN_SHARE;
  for (const detector of detectors) {
    if (detector.country === undefined || detector.category !== 'direct_identifier') continue;
    const accepts = verifierOf(detector);
    const share = shareOf(values, accepts);
    if (share > most) [best, most] = [{ detector, confidence, accepts }, share];
  }
  return best;
}

/** What the column as a whole must look like, beyond the test of each value. */
function isSupported({ kind, weak }: ColumnClaim, values: readonly string[]): boolean {
  if (kind === 'person_name') return !weak || mayBeNames(values);
  if (kind === 'address') return shareOf(values, (text) => digitsIn(text) > 0) >= MIN_ADDRESSES_WITH_NUMBER;
  if (kind === 'postal_code') return !weak || hasOneForm(values);
  if (kind === 'password' || kind === 'user_name')
    return values.length < FEW || new Set(values).size >= MIN_DISTINCT * values.length;
  return true;
}

function mayBeNames(values: readonly string[]): boolean {
  return shareOf(values, isKnownName) >= MIN_KNOWN_NAMES && shareOf(values, hasEverydayWord) <= MAX_EVERYDAY;
}

/** All codes of a country are written alike. */
function hasOneForm(values: readonly string[]): boolean {
  const forms = new Set(values.map((text) => text.replace(/\d/g, '0').replace(/[a-z]/gi, 'A')));
  return forms.size === 1 && digitsIn([...forms][0]!) >= 4;
}
