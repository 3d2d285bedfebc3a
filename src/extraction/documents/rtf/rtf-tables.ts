import type { TextChunk } from '../../document-item.ts';
import { FlowTable, type TableLines } from '../sheets/flow-table.ts';

/**
 * The tables of a text. RTF has no word for their beginning and end: rows that follow each other are one, until
 * something stands outside of them. A table with a head becomes a grid, of any other the rows are lines.
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

  /** A row has ended: what comes now stands outside, unless another begins. */
  get between(): boolean {
    return this.#within && !this.inRow;
  }

  /** Text goes into a cell that is no part of a line. */
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
    this.#goOn();
  }

  /** Of a row that is a line the text has the ends itself. */
  endCell(): void {
    this.#table?.endCell();
    this.#goOn();
  }

  endRow(): void {
    this.inRow = false;
    this.#table?.endRow();
    this.#goOn();
  }

  end(): void {
    this.#within = false;
    this.inRow = false;
    this.#table?.end();
    if (this.#table?.undecided) this.#settle();
  }

  /** Pieces of a table are only there when the text before it has been given. */
  *take(): Generator<TextChunk> {
    if (this.#table === null || this.#table.undecided) return;
    if (this.#table.full || !this.#within) yield* this.#table.take();
    if (!this.#within) this.#table = null;
  }

  #goOn(): void {
    if (this.#table?.enough) this.#settle();
  }

  #settle(): void {
    if (this.#table?.settle(this.#lines) === false) this.#table = null;
  }
}
