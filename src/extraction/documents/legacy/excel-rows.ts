import type { TextPiece } from '../../piece.ts';
import type { SheetRows } from '../sheets/sheet-rows.ts';

/** Cells that come row by row, on their way to the rows of a sheet. */
export class CellRows {
  readonly #rows: SheetRows;
  #row = 0;
  #cells: string[] = [];

  constructor(rows: SheetRows) {
    this.#rows = rows;
  }

  /** Row and column count from 0; the text is as it may stand in a grid. */
  put(row: number, column: number, text: string): void {
    if (text === '') return;
    if (row !== this.#row) this.#endRow();
    this.#row = row;
    const cells = this.#cells;
    while (cells.length < column) cells.push('');
    cells[column] = text;
  }

  get ready(): boolean {
    return this.#rows.ready;
  }

  take(): Generator<TextPiece> {
    return this.#rows.take();
  }

  end(): Generator<TextPiece> {
    this.#endRow();
    return this.#rows.end();
  }

  #endRow(): void {
    const cells = this.#cells;
    this.#cells = [];
    if (cells.length > 0) this.#rows.add(this.#row + 1, cells);
  }
}
