import { isValueLike } from '../../structure/name.ts';
import { isColumnName } from '../../structure/table.ts';

/**
 * Which of a sheet's first rows has the names of its columns; -1: none, or the next rows will tell. Above it there may
 * be a title; below it are values, or as many texts as there are names.
 */
export function headerAmong(rows: readonly (readonly string[])[]): number {
  return rows.findIndex((row, i) => isHead(row) && i + 1 < rows.length && belongsUnder(row, rows[i + 1]!));
}

/** Its names by column, with nothing where it has none. */
export function columnNames(row: readonly string[]): readonly string[] {
  return row.map((cell) => (isValueLike(cell) ? '' : cell.trim()));
}

/** At least two names, and little else. A cell with a colon names the one beside it. */
function isHead(row: readonly string[]): boolean {
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
