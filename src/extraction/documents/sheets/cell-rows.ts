import type { TextChunk } from '../../document-item.ts';
import type { SheetRows } from './sheet-rows.ts';
import { SparseRow } from './sparse-row.ts';

/** Collects cells to the rows of a sheet. */
export class CellRows {
  readonly #rows: SheetRows;
  /** Addresses of links that no cell has shown yet. */
  readonly unseen: Set<string>;
  #row = 0;
  #cells = new SparseRow();

  constructor(rows: SheetRows, links: Iterable<string> = []) {
    this.#rows = rows;
    this.unseen = new Set(links);
  }

  /** Row and column are counted from 0; the text is escaped for a grid. */
  put(row: number, column: number, text: string): void {
    if (text === '') return;
    if (row !== this.#row) this.endRow();
    this.#row = row;
    if (this.unseen.size > 0) this.unseen.delete(text);
    if (this.#cells.put(column, text)) return;
    this.endRow();
    this.#cells.put(column, text);
  }

  get ready(): boolean {
    return this.#rows.ready;
  }

  take(): Generator<TextChunk> {
    return this.#rows.take();
  }

  end(): Generator<TextChunk> {
    this.endRow();
    return this.#rows.end();
  }

  /** A repeated row number starts another row. */
  endRow(): void {
    const { cells, skips, empty } = this.#cells;
    if (empty) return;
    this.#cells = new SparseRow();
    this.#rows.add(this.#row + 1, cells, skips);
  }
}
