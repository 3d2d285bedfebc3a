import { isColumnName } from '../../structure/table.ts';
import { headerAmong, isHead } from './sheet-header.ts';

/** A number of at least this many digits has a distinctive form. */
const MIN_DIGITS = 5;

/**
 * The index of the header among the first rows of a table in a text; -1: none. Many such tables are forms, with labels to the left of
 * their values ("Name | Anna"): where labels and values alternate, the values must be of the same kind in each column. `marked`: the last
 * row that the document marks as header; -1: none.
 */
export function tableHead(rows: readonly (readonly string[])[], marked: number): number {
  if (marked >= 0 && isHead(rows[marked] ?? [])) return marked;
  const head = headerAmong(rows);
  if (head < 0) return -1;
  const below = rows.slice(head + 1);
  return mayBeForm(rows[head]!, below) && !hasEvenColumn(below) ? -1 : head;
}

/** Columns in pairs, of which the left ones contain only words. */
function mayBeForm(head: readonly string[], below: readonly (readonly string[])[]): boolean {
  if (head.length % 2 !== 0) return false;
  return below.every((row) => row.every((cell, column) => column % 2 === 1 || cell === '' || isLabel(cell)));
}

function isLabel(cell: string): boolean {
  return isColumnName(cell) && !/\d/.test(cell);
}

/** At least two values, all of one kind that is not just text, and never the same one. */
function hasEvenColumn(below: readonly (readonly string[])[]): boolean {
  const width = Math.max(0, ...below.map((row) => row.length));
  for (let column = 1; column < width; column += 2) {
    const values = below.map((row) => row[column] ?? '').filter((cell) => cell !== '');
    const kinds = new Set(values.map(kindOf));
    if (values.length >= 2 && kinds.size === 1 && !kinds.has('text')) return true;
  }
  return false;
}

/** Structured numbers have digits at the same positions. */
function kindOf(value: string): string {
  if (value.includes('@')) return 'address';
  const digits = value.replace(/\D/g, '').length;
  if (digits >= MIN_DIGITS) return value.replace(/\d/g, '0').replace(/\p{L}+/gu, 'a');
  return digits > 0 && digits * 2 >= value.length ? 'number' : 'text';
}
