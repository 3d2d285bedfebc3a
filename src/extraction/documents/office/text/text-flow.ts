import type { TextChunk } from '../../../document-item.ts';
import { FlowTable } from '../../sheets/flow-table.ts';
import { LineFlow } from './line-flow.ts';

const BLOCK = 48 * 1024;

/** Divides the text of a location into chunks: lines, and the tables with a header between them. */
export class TextFlow {
  readonly location: string | null;
  /** Characters so far. */
  written = 0;
  readonly #lines = new LineFlow();
  #chunks: TextChunk[] = [];
  /** The table whose rows are no lines, or perhaps not. */
  #table: FlowTable | null = null;
  #tables = 0; // so far
  #nested = 0; // that we are in, in a cell of the table: they are text of the cell

  constructor(location: string | null) {
    this.location = location;
  }

  write(text: string): void {
    if (text === '') return;
    this.written += text.length;
    if (this.#table?.inCell) {
      this.#table.write(text);
      return this.#flushDecided();
    }
    // A caption precedes the rows; after them nothing should follow.
    if (!this.#inLines) this.#endTable();
    this.#lines.write(text);
  }

  writeLine(text: string): void {
    this.write(text);
    this.endLine();
  }

  endLine(): void {
    if (this.#inLines) this.#lines.endLine();
    else if (this.#table?.inCell) this.#table.endLine();
  }

  /** As `endLine`, but a line that has not begun does not end. */
  breakLine(): void {
    if (!this.atLineStart) this.endLine();
  }

  get atLineStart(): boolean {
    return this.#table === null || this.#inLines ? this.#lines.atLineStart : this.#table.atLineStart;
  }

  /** A table in the first row of another: the outer one has no head, it is there for the layout. */
  beginTable(): void {
    if (this.#table?.undecided) this.#settle();
    if (this.#table !== null) {
      this.#nested++;
      return;
    }
    this.#tables++;
    this.#table = new FlowTable(`${this.location === null ? '' : `${this.location} `}table ${this.#tables}`);
  }

  endTable(): void {
    if (this.#nested > 0) this.#nested--;
    else this.#endTable();
  }

  beginCell(): void {
    if (this.#table === null) this.#lines.beginCell();
    else if (this.#nested === 0) this.#table.beginCell();
  }

  endCell(): void {
    if (this.#table === null) this.#lines.endCell();
    else if (this.#nested > 0) this.#table.endLine();
    else {
      this.#table.endCell();
      this.#flushDecided();
    }
  }

  endRow(): void {
    if (this.#table === null) return this.#lines.endRow();
    if (this.#nested > 0) return this.#table.endLine();
    this.#table.endRow();
    this.#flushDecided();
  }

  /** See FlowTable. */
  skipColumns(columns: number): void {
    if (this.#nested === 0) this.#table?.skip(columns);
  }

  markHead(): void {
    if (this.#nested === 0) this.#table?.markHead();
  }

  get full(): boolean {
    return this.#chunks.length > 0 || this.#lines.length >= BLOCK;
  }

  /** What is written and not taken yet. */
  *take(): Generator<TextChunk> {
    const chunks = this.#chunks;
    this.#chunks = [];
    yield* chunks;
    yield* this.#textPiece(this.#lines.take());
  }

  /** Nothing follows: the last line ends, and a table that breaks off. */
  *end(): Generator<TextChunk> {
    this.#endTable();
    yield* this.take();
    yield* this.#textPiece(this.#lines.end());
  }

  #endTable(): void {
    this.#nested = 0;
    const table = this.#table;
    if (table === null) return;
    table.end();
    if (table.undecided) this.#settle();
    this.#table = null;
    this.#chunks.push(...table.take());
  }

  get #inLines(): boolean {
    return this.#table === null || this.#table.empty;
  }

  /** Releases what need not be buffered. */
  #flushDecided(): void {
    if (this.#table?.enough) this.#settle();
    if (this.#table?.full) this.#chunks.push(...this.#table.take());
  }

  #settle(): void {
    if (!this.#table?.settle(this.#lines)) this.#table = null;
    else this.#chunks.push(...this.#textPiece(this.#lines.end()));
  }

  *#textPiece(text: string): Generator<TextChunk> {
    if (text !== '') yield { is: 'text', location: this.location, text: Buffer.from(text) };
  }
}
