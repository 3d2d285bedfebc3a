import type { TextPiece } from '../../piece.ts';
import type { SheetRows } from './sheet-rows.ts';

/** Cells that come row by row, on their way to the rows of a sheet. */
export class CellRows {
  readonly #rows: SheetRows;
  /** Addresses of links that no cell has shown yet. */
  readonly unseen: Set<string>;
  #row = 0;
  #cells: string[] = [];

  constructor(rows: SheetRows, links: Iterable<string> = []) {
    this.#rows = rows;
    this.unseen = new Set(links);
  }

  /** Row and column count from 0; the text is as it may stand in a grid. */
  put(row: number, column: number, text: string): void {
    if (text === '') return;
    if (row !== this.#row) this.endRow();
    this.#row = row;
    if (this.unseen.size > 0) this.unseen.delete(text);
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
    this.endRow();
    return this.#rows.end();
  }

  /** A row that comes twice is two rows. */
  endRow(): void {
    const cells = this.#cells;
    if (cells.length === 0) return;
    this.#cells = [];
    this.#rows.add(this.#row + 1, cells);
  }
}
