import { isValueLike } from '../../structure/name.ts';
import { isColumnName } from '../../structure/table.ts';

const FORM_COLUMNS = 2;

/**
 * The index of the row with the column names among a sheet's first rows; -1: none, or undecided. Above it there may be a title; below it
 * are values, or as many texts as there are names.
 */
export function headerAmong(rows: readonly (readonly string[])[]): number {
  const first = headerFrom(rows, 0);
  if (first < 0 || isCertain(rows[first]!)) return first;
  // Two columns above wider rows are metadata of the table: "Firm | Acme", "Period | 2024".
  const wider = rows.findIndex((row, i) => i > first && row.length > rows[first]!.length);
  const next = headerFrom(rows, wider);
  if (wider <= first || next !== wider || !rows[next]!.every((cell) => cell === '' || isColumnName(cell)))
    return first;
  return isCertain(rows[next]!) && isCertain(rows[next + 1]!) ? next : first;
}

/** It has more columns than a form, so that later rows cannot change the decision. */
export function isCertain(row: readonly string[]): boolean {
  return row.filter((cell) => cell !== '').length > FORM_COLUMNS;
}

function headerFrom(rows: readonly (readonly string[])[], from: number): number {
  return rows.findIndex(
    (row, i) => i >= from && i + 1 < rows.length && isHead(row) && belongsUnder(row, rows[i + 1]!),
  );
}

/** Its names by column, with nothing where it has none. */
export function columnNames(row: readonly string[]): readonly string[] {
  return row.map((cell) => (isValueLike(cell) ? '' : cell.trim()));
}

/** At least two names, and little else. A cell that ends in a colon labels its neighbour. */
export function isHead(row: readonly string[]): boolean {
  let names = 0;
  let others = 0;
  for (const cell of row) {
    if (cell === '') continue;
    if (isValueLike(cell) || cell.trimEnd().endsWith(':')) return false;
    if (isColumnName(cell)) names++;
    else others++;
  }
  return names >= 2 && names > others;
}

function belongsUnder(head: readonly string[], row: readonly string[]): boolean {
  const filled = row.filter((cell) => cell !== '');
  if (filled.some((cell) => !isColumnName(cell))) return true;
  const named = row.filter((cell, column) => cell !== '' && (head[column] ?? '') !== '');
  return named.length >= 2 && filled.length <= head.filter((cell) => cell !== '').length;
}
