/** The rows of a table, numbered as they are met. A row that can't be read keeps its number. */

import type { ExtractionBudget } from '../../../budget/extraction-budget.ts';
import type { TextChunk } from '../../../document-item.ts';
import { CorruptInput, ExtractionError } from '../../../extraction-error.ts';
import type { PartErrors } from '../../part-errors.ts';
import type { CellWriter } from '../cell-writer.ts';
import { cellAt, partsOf } from './cell.ts';
import type { Database } from './database.ts';
import { writeLongRecord } from './long-record.ts';
import { headOf, type RowShape, writeRecord } from './record.ts';
import type { Table } from './schema.ts';
import { tableColumns } from './table-columns.ts';
import { type CellRange, type TreePage, walkTree } from './tree.ts';

/** Longer rows are not put together before they are written. */
const LONG = 1024 * 1024;

export class TableReader {
  readonly #database: Database;
  readonly #out: CellWriter;
  readonly #errors: PartErrors;
  readonly #budget: ExtractionBudget;

  constructor(database: Database, out: CellWriter, errors: PartErrors, budget: ExtractionBudget) {
    this.#database = database;
    this.#out = out;
    this.#errors = errors;
    this.#budget = budget;
  }

  async *read(table: Table): AsyncGenerator<TextChunk> {
    let shape: RowShape | null = null;
    for await (const window of walkTree(this.#database.pages, table.root, this.#errors)) {
      shape ??= this.#begin(table, window);
      yield* this.#rows(window, shape);
    }
    if (shape !== null) yield* this.#out.take();
  }

  #begin({ name, sql }: Table, window: CellRange): RowShape {
    const known = tableColumns(sql, window.page.kind === 'index');
    this.#out.begin(`table ${name}`, known?.names ?? this.#numbered(window), 1);
    const defaults = (known?.defaults ?? []).map((text) => Buffer.from(text));
    return { encoding: this.#database.encoding, rowidAt: known?.rowidAt ?? -1, defaults };
  }

  /** If the statement can't be parsed, the first row still has the number of columns. */
  #numbered({ page, from }: CellRange): readonly string[] | null {
    try {
      const cell = cellAt(page, from, this.#database.pages.usable);
      const { types, end } = headOf(page.bytes, cell.from, cell.to);
      const names: string[] = [];
      while (types.at < end && types.next() >= 0) names.push(`c${names.length + 1}`);
      return names;
    } catch (error) {
      if (!(error instanceof ExtractionError)) throw error;
      return null;
    }
  }

  async *#rows({ page, from, to }: CellRange, shape: RowShape): AsyncGenerator<TextChunk> {
    for (let i = from; i < to; i++) {
      try {
        const cell = cellAt(page, i, this.#database.pages.usable);
        page.room -= cell.end - page.cells[i]!;
        if (page.room < 0) throw new CorruptInput('SQLite page');
        if (cell.overflow === 0) this.#row(page.bytes, cell.from, cell.to, shape, cell.rowid);
        else if (cell.size > LONG) yield* writeLongRecord(this.#out, this.#parts(page, i), shape, cell.rowid);
        else await this.#joinedRow(page, i, shape, cell.rowid);
      } catch (error) {
        this.#errors.record(error);
      }
      this.#out.endRow();
      if (this.#out.full) yield* this.#out.take();
    }
  }

  #row(bytes: Uint8Array, from: number, to: number, shape: RowShape, rowid: number | bigint): void {
    this.#budget.countCells(writeRecord(this.#out, bytes, from, to, shape, rowid));
  }

  async #joinedRow(page: TreePage, i: number, shape: RowShape, rowid: number | bigint): Promise<void> {
    const parts: Uint8Array[] = [];
    for await (const part of this.#parts(page, i)) parts.push(part);
    const record = Buffer.concat(parts);
    this.#row(record, 0, record.length, shape, rowid);
  }

  #parts(page: TreePage, i: number): AsyncGenerator<Uint8Array> {
    const { pages } = this.#database;
    return partsOf(pages, page, cellAt(page, i, pages.usable));
  }
}
