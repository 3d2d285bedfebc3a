/**
 * A table as text: a row is a line, values are separated by tabs (and contain neither tabs nor line ends, nor a quote as first character:
 * see cellText). Line and value index identify the cell.
 */
export interface Grid {
  /** The names of the columns, in order; null: it has none. A sheet keeps its head among the rows, other tables don't write it. */
  readonly columns: readonly string[] | null;
  /** How a cell is called: `sheet` C7 by its letters and row, `rows` "row 1204" (the column is the finding's field). */
  readonly cells: 'sheet' | 'rows';
  /** The number of the row that the text's first line is; sheets and tables count from 1. */
  readonly firstRow: number;
  /** Columns of a sheet that are left out in all rows of this text, from left to right. */
  readonly skips?: readonly Skip[];
}

/** Before the value `at` this many empty columns are skipped. */
export interface Skip {
  readonly at: number;
  readonly columns: number;
}

const UNSAFE = /[\t\n\r]+/g;
const BLOCK = 48 * 1024;

/** Escapes a value for a grid. */
export function cellText(value: string): string {
  const text = value.startsWith('"') ? `'${value.slice(1)}` : value;
  return UNSAFE.test(text) ? text.replace(UNSAFE, ' ') : text;
}

/** Collects rows into chunks of a useful size. */
export class GridWriter {
  #rows = '';

  /** `cells`: already safe, see cellText. */
  row(cells: readonly string[]): void {
    this.#rows += `${cells.join('\t')}\n`;
  }

  /** The beginning of a row whose other cells follow. */
  begin(cells: readonly string[]): void {
    this.#rows += `${cells.join('\t')}\t`;
  }

  get full(): boolean {
    return this.#rows.length >= BLOCK;
  }

  get empty(): boolean {
    return this.#rows === '';
  }

  take(): Uint8Array {
    const bytes = Buffer.from(this.#rows);
    this.#rows = '';
    return bytes;
  }
}

/** `A`, `Z`, `AA`, … for columns counted from 0. */
export function columnLetters(column: number): string {
  let letters = '';
  for (let rest = column + 1; rest > 0; rest = Math.floor((rest - 1) / 26))
    letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters;
  return letters;
}

/** `value`: which one of the line, counted from 0. */
export function cellName({ cells, firstRow, skips = [] }: Grid, line: number, value: number): string {
  const row = firstRow + line - 1;
  if (cells === 'rows') return `row ${row}`;
  const left = skips.reduce((sum, { at, columns }) => (at <= value ? sum + columns : sum), 0);
  return `${columnLetters(value + left)}${row}`;
}
