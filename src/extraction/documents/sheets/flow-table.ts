import type { TextChunk } from '../../document-item.ts';
import { cellText, type Grid, GridWriter } from '../../grid.ts';
import { longer } from './cell-value.ts';
import { columnNames } from './sheet-header.ts';
import { tableHead } from './table-head.ts';

/** The number of rows buffered to detect a header. */
const HELD_ROWS = 6;
const HELD_LENGTH = 64 * 1024;
/** More columns than a table in a text has. */
const MAX_SKIPPED = 64;
/** A row may be longer than a string can be: what is longer than this is written before it ends. */
const MAX_LENGTH_AT_ONCE = 1024 * 1024;
const MAX_CELLS_AT_ONCE = 4096;

/** A recorded operation of a row, replayed if the row turns out to be a line of text. */
type Step = readonly [text: string] | 'beginCell' | 'endCell' | 'endLine' | 'endRow';

/** The output for rows of a table without a header. */
export interface TableLines {
  write(text: string): void;
  beginCell(): void;
  endCell(): void;
  endLine(): void;
  endRow(): void;
}

interface Row {
  readonly cells: readonly string[];
  readonly steps: readonly Step[];
}

/** A table within a text. One with a head becomes a grid, like a sheet; of any other the rows are lines of the text. */
export class FlowTable {
  readonly #location: string;
  readonly #writer = new GridWriter();
  #held: Row[] | null = [];
  #heldLength = 0;
  #grid: Grid | null = null;
  #steps: Step[] = []; // of the row that we are in
  #cells: string[] = [];
  #cellsLength = 0;
  #cell: string | null = null; // null: we are in none
  #gap = false;
  #skipped = 0;
  #marked = -1;

  constructor(location: string) {
    this.#location = location;
  }

  get inCell(): boolean {
    return this.#cell !== null;
  }

  get atLineStart(): boolean {
    return this.#cell === null || this.#cell === '' || this.#gap;
  }

  /** Nothing has been written to it yet. */
  get empty(): boolean {
    return this.#held?.length === 0 && this.#steps.length === 0;
  }

  get undecided(): boolean {
    return this.#held !== null;
  }

  /** The buffer is full. */
  get enough(): boolean {
    return this.#held !== null && (this.#held.length === HELD_ROWS || this.#heldLength > HELD_LENGTH);
  }

  get full(): boolean {
    return this.#writer.full;
  }

  write(text: string): void {
    this.#cell = longer(this.#cell ?? '', this.#gap ? ` ${text}` : text);
    this.#gap = false;
    if (this.#held === null) return;
    this.#steps.push([text]);
    this.#heldLength += text.length;
  }

  endLine(): void {
    this.#gap = this.#cell !== null && this.#cell !== '';
    this.#note('endLine');
  }

  beginCell(): void {
    this.#cell ??= '';
    this.#note('beginCell');
  }

  endCell(): void {
    this.#cells.push(cellText(this.#cell ?? '').trim());
    this.#cellsLength += this.#cell?.length ?? 0;
    this.#cell = null;
    this.#gap = false;
    this.#leaveColumns();
    this.#note('endCell');
    if (this.#held !== null) return;
    if (this.#cellsLength < MAX_LENGTH_AT_ONCE && this.#cells.length < MAX_CELLS_AT_ONCE) return;
    this.#writer.begin(this.#cells);
    this.#cells = [];
    this.#cellsLength = 0;
  }

  /** Skips columns without cells: after the current cell, or before the next. */
  skip(columns: number): void {
    this.#skipped = columns > 0 && columns <= MAX_SKIPPED ? Math.floor(columns) : 0;
    if (this.#cell === null) this.#leaveColumns();
  }

  /** The row that we are in, or that follows, is called a head. */
  markHead(): void {
    if (this.#held !== null) this.#marked = this.#held.length;
  }

  endRow(): void {
    if (this.#cell !== null) this.endCell();
    this.#note('endRow');
    const row: Row = { cells: withoutEmptyEnd(this.#cells), steps: this.#steps };
    this.#cells = [];
    this.#cellsLength = 0;
    this.#steps = [];
    if (this.#held !== null) this.#held.push(row);
    else this.#writer.row(row.cells);
  }

  /** Nothing follows, also if it breaks off within a row. */
  end(): void {
    if (this.#cell !== null || this.#cells.length > 0) this.endRow();
  }

  /** Decides what it is. Rows above a header, or all if there is none, are replayed to `lines`; returns false in the latter case. */
  settle(lines: TableLines): boolean {
    const rows = this.#held ?? [];
    this.#held = null;
    const head = tableHead(
      rows.map(({ cells }) => cells),
      this.#marked,
    );
    for (const { steps } of head < 0 ? [...rows, { steps: this.#steps }] : rows.slice(0, head))
      for (const step of steps) typeof step === 'string' ? lines[step]() : lines.write(step[0]);
    if (head < 0) return false;
    this.#steps = [];
    this.#grid = { columns: columnNames(rows[head]!.cells), cells: 'sheet', firstRow: head + 1 };
    for (const { cells } of rows.slice(head)) this.#writer.row(cells);
    return true;
  }

  /** What is written and not taken yet. */
  *take(): Generator<TextChunk> {
    if (this.#grid === null || this.#writer.empty) return;
    yield { is: 'text', location: this.#location, text: this.#writer.take(), grid: this.#grid };
  }

  #note(step: Exclude<Step, readonly [string]>): void {
    if (this.#held === null) return;
    this.#steps.push(step);
    this.#heldLength++;
  }

  #leaveColumns(): void {
    for (; this.#skipped > 0; this.#skipped--)
      if (this.#cells.length < MAX_CELLS_AT_ONCE) this.#cells.push('');
  }
}

function withoutEmptyEnd(cells: readonly string[]): readonly string[] {
  const last = cells.findLastIndex((cell) => cell !== '');
  return last === cells.length - 1 ? cells : cells.slice(0, last + 1);
}
