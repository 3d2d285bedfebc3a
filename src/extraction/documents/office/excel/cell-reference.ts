import { CorruptInput } from '../../../extraction-error.ts';

export const MAX_COLUMNS = 16_384;
/** More than any program has rows. */
export const MAX_ROWS = 2 ** 24;

/** The column of a reference such as `AB12`, counted from 0; `next` where there is none. */
export function columnOf(reference: string | null, next: number): number {
  let column = 0;
  if (reference !== null)
    for (let i = 0; i < reference.length && column <= MAX_COLUMNS; i++) {
      const letter = (reference.charCodeAt(i) | 0x20) - 0x60;
      if (letter < 1 || letter > 26) break;
      column = column * 26 + letter;
    }
  const found = column === 0 ? next : column - 1;
  if (found >= MAX_COLUMNS) throw new CorruptInput('cell reference');
  return found;
}

/** The number of a row, counted from 1; `next` where there is none. */
export function rowOf(number: string | null, next: number): number {
  const row = number === null ? next : Number(number);
  if (!Number.isInteger(row) || row < 1 || row > MAX_ROWS) throw new CorruptInput('cell reference');
  return row;
}
