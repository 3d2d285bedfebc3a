import type { TextChunk } from '../../document-item.ts';
import { FlowTable, type TableLines } from '../sheets/flow-table.ts';

/**
 * The tables of a text. RTF does not mark their beginning and end: consecutive rows form a table, until other text follows. A table with
 * a header becomes a grid; rows of other tables are lines.
 */
export class RtfTables {
  readonly #lines: TableLines;
  #count = 0;
  #within = false;
  /** null: there is none, or its rows are lines. */
  #table: FlowTable | null = null;
  inRow = false;

  constructor(lines: TableLines) {
    this.#lines = lines;
  }

  /** A row has ended: what follows is outside, unless another row begins. */
  get between(): boolean {
    return this.#within && !this.inRow;
  }

  /** Text goes to a cell instead of a line. */
  get holding(): boolean {
    return this.#table !== null;
  }

  beginRow(): void {
    if (!this.#within) this.#table = new FlowTable(`table ${++this.#count}`);
    this.#within = true;
    this.inRow = true;
  }

  /** The row that we are in is called a head. */
  markHead(): void {
    this.#table?.markHead();
  }

  write(text: string): void {
    this.#table?.write(text);
    this.#flushPending();
  }

  /** Of a row that is a line the text has the ends itself. */
  endCell(): void {
    this.#table?.endCell();
    this.#flushPending();
  }

  endRow(): void {
    this.inRow = false;
    this.#table?.endRow();
    this.#flushPending();
  }

  end(): void {
    this.#within = false;
    this.inRow = false;
    this.#table?.end();
    if (this.#table?.undecided) this.#settle();
  }

  /** Chunks of a table are available once the text before it has been yielded. */
  *take(): Generator<TextChunk> {
    if (this.#table === null || this.#table.undecided) return;
    if (this.#table.full || !this.#within) yield* this.#table.take();
    if (!this.#within) this.#table = null;
  }

  #flushPending(): void {
    if (this.#table?.enough) this.#settle();
  }

  #settle(): void {
    if (this.#table?.settle(this.#lines) === false) this.#table = null;
  }
}
