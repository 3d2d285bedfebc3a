import type { ExtractionBudget } from '../../budget/extraction-budget.ts';
import type { TextChunk } from '../../document-item.ts';
import { type Grid, GridWriter, type Skip } from '../../grid.ts';
import { columnNames, headerAmong, isCertain } from './sheet-header.ts';
import { allColumns, withoutSkipped } from './sparse-row.ts';

/** The number of rows buffered to find the column names. */
const HELD_ROWS = 10;
const HELD_LENGTH = 1024 * 1024;
/** Rows without a value are blank lines, if there are not more of them. */
const MAX_GAP = 64;
/** A row of shared texts may be longer than a string can be. */
const MAX_AT_ONCE = 4 * 1024 * 1024;

/** Charges the output of cells, which may repeat text that is in the file once. */
export interface Meter {
  readonly budget: ExtractionBudget;
  /** Of the file. */
  readonly size: number;
  out: number;
}

interface Row {
  readonly number: number;
  readonly cells: readonly string[];
  readonly skips: readonly Skip[];
  /** Its cells by column. */
  readonly all: readonly string[];
}

/** Divides the rows of a sheet into chunks of a grid. Rows with a large gap between them are separate texts. */
export class SheetRows {
  readonly #location: string;
  readonly #meter: Meter;
  readonly #writer = new GridWriter();
  #chunks: TextChunk[] = [];
  #held: Row[] | null = [];
  #heldLength = 0;
  #columns: readonly string[] | null = null;
  #grid: Grid | null = null;
  /** Columns that the rows of the grid leave out. */
  #skips: readonly Skip[] = NONE;
  #next = 1;

  constructor(location: string, meter: Meter) {
    this.#location = location;
    this.#meter = meter;
  }

  /** `cells`: escaped texts by column, without those in `skips`. */
  add(number: number, cells: readonly string[], skips: readonly Skip[] = NONE): void {
    this.#meter.budget.countCells(cells.length);
    if (this.#held === null) return this.#write(number, cells, skips);
    const all = allColumns(cells, skips);
    this.#held.push({ number, cells, skips, all });
    for (const cell of all) this.#heldLength += cell.length + 1;
    const rows = this.#held.map((row) => row.all);
    const header = headerAmong(rows);
    const certain = header >= 0 && isCertain(rows[header]!);
    if (certain || rows.length === HELD_ROWS || this.#heldLength > HELD_LENGTH) this.#release(header);
  }

  get ready(): boolean {
    return this.#chunks.length > 0;
  }

  *take(): Generator<TextChunk> {
    const chunks = this.#chunks;
    this.#chunks = [];
    yield* chunks;
  }

  *end(): Generator<TextChunk> {
    if (this.#held !== null) this.#release(headerAmong(this.#held.map((row) => row.all)));
    this.#flush();
    yield* this.take();
  }

  /** What precedes the column names is a separate text: neither the title nor the names are values of the columns. */
  #release(header: number): void {
    const rows = this.#held ?? [];
    this.#held = null;
    for (const [n, { number, cells, skips, all }] of rows.entries()) {
      if (n === header) this.#begin(columnNames(all));
      this.#write(number, cells, skips);
    }
  }

  #begin(columns: readonly string[]): void {
    this.#flush();
    this.#columns = columns;
    this.#grid = null;
  }

  #write(number: number, cells: readonly string[], skips: readonly Skip[]): void {
    const gap = number - this.#next;
    if (this.#grid === null || gap < 0 || gap > MAX_GAP || !isSame(skips, this.#skips)) {
      this.#flush();
      this.#skips = skips;
      const columns = this.#columns && withoutSkipped(this.#columns, skips);
      this.#grid = { columns, cells: 'sheet', firstRow: number, ...(skips.length > 0 && { skips }) };
    } else for (let i = 0; i < gap; i++) this.#writer.row([]);
    this.#next = number + 1;
    this.#writer.row(this.#lastOf(cells));
    if (this.#writer.full) this.#flush();
  }

  /** The cells that are left to write: of nearly every row, all. */
  #lastOf(cells: readonly string[]): readonly string[] {
    let from = 0;
    let length = 0;
    for (let i = 0; i < cells.length; i++) {
      length += cells[i]!.length;
      if (length < MAX_AT_ONCE || i === cells.length - 1) continue;
      this.#writer.begin(cells.slice(from, i + 1));
      this.#flush();
      from = i + 1;
      length = 0;
    }
    return from === 0 ? cells : cells.slice(from);
  }

  #flush(): void {
    if (this.#grid === null || this.#writer.empty) return;
    const text = this.#writer.take();
    this.#meter.out += text.length;
    this.#meter.budget.checkRatio(this.#meter.out, this.#meter.size);
    this.#chunks.push({ is: 'text', location: this.#location, text, grid: this.#grid });
  }
}

const NONE: readonly Skip[] = [];

function isSame(some: readonly Skip[], others: readonly Skip[]): boolean {
  return (
    some.length === others.length &&
    some.every(({ at, columns }, i) => at === others[i]!.at && columns === others[i]!.columns)
  );
}
