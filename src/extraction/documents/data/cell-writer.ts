/**
 * The text of a table, written as bytes: values of data files mostly are UTF-8 already, and a string for each of them
 * would cost more than all the rest of reading. Rows without any value before the first one are not written but counted.
 */

import { isUtf8 } from 'node:buffer';
import type { ExtractionBudget } from '../../budget/extraction-budget.ts';
import type { TextChunk } from '../../document-item.ts';
import type { Grid } from '../../grid.ts';
import { PartLimitExceeded } from '../part-errors.ts';
import { copyClean, digitsOf, putDigits } from './clean-copy.ts';
import { wholeCharacters } from './plain-text.ts';

const BLOCK = 48 * 1024;
const KEPT = 1024 * 1024;
const BILLION = 1e9;
const TAB = 0x09;
const LF = 0x0a;
const SPACE = 0x20;
const QUOTE = 0x22;
const APOSTROPHE = 0x27;
const MINUS = 0x2d;
const COLON = 0x3a;
const SEMICOLON = 0x3b;

export class CellWriter {
  readonly #budget: ExtractionBudget;
  /** The size of the whole file: text that is much longer was expanded from repetitions. */
  readonly #size: number;
  #written = 0;
  #location: string | null = null;
  #columns: readonly string[] | null = null;
  #firstRow = 1;
  #grid: Grid | null = null; // null: nothing of this table has been written
  #buffer = Buffer.allocUnsafeSlow(2 * BLOCK);
  #end = 0;
  #tabs = 0; // owed: a row's last values may all be missing
  #filled = false; // the cell has something in it
  #apart = 0; // the separator before the next value of the same cell, if any
  #keyed = false;
  #label: Uint8Array | null = null;

  constructor(budget: ExtractionBudget, size: number) {
    this.#budget = budget;
    this.#size = size;
  }

  /** The next table; the one before has been taken. */
  begin(location: string | null, columns: readonly string[] | null, firstRow: number): void {
    this.#location = location;
    this.#columns = columns;
    this.#firstRow = firstRow;
    this.#grid = null;
    this.#end = 0;
    this.#tabs = 0;
    this.#closeCell();
  }

  /** UTF-8 that may hold anything. What follows in the same cell without `item` is the same value. */
  bytes(source: Uint8Array, from: number, to: number): void {
    if (from >= to) return;
    const first = !this.#filled;
    this.#open(to - from);
    const start = this.#end;
    this.#end = copyClean(source, from, to, this.#buffer, start);
    if (first && this.#buffer[start] === QUOTE) this.#buffer[start] = APOSTROPHE;
  }

  text(value: string): void {
    const bytes = Buffer.from(value);
    this.bytes(bytes, 0, bytes.length);
  }

  /** Digits, letters and signs of ASCII, nothing to be careful about. */
  ascii(value: string): void {
    this.#open(value.length);
    const buffer = this.#buffer;
    for (let i = 0; i < value.length; i++) buffer[this.#end++] = value.charCodeAt(i);
  }

  /** A number must be a safe integer. */
  integer(value: number | bigint): void {
    if (typeof value === 'bigint') return this.ascii(String(value));
    this.#open(17);
    const size = Math.abs(value);
    if (value < 0) this.#buffer[this.#end++] = MINUS;
    if (size < BILLION) return this.#digits(size, digitsOf(size));
    const billions = Math.floor(size / BILLION);
    this.#digits(billions, digitsOf(billions));
    this.#digits(size - billions * BILLION, 9);
  }

  /** A number of at most that many digits, and at most nine, with zeros before it. */
  padded(value: number, digits: number): void {
    this.#open(digits);
    this.#digits(value, digits);
  }

  /** What follows is another value of the same cell. */
  item(): void {
    this.#apart = this.#keyed ? COLON : this.#filled ? SEMICOLON : 0;
    this.#keyed = false;
  }

  /** A key, which labels the next value. */
  key(source: Uint8Array, from: number, to: number): void {
    this.#keyed = false;
    this.item();
    this.bytes(source, from, to);
    this.#keyed = from < to;
  }

  /** What the next value of the same cell is, if there is one. */
  label(name: Uint8Array): void {
    this.#label = name;
  }

  nextCell(count = 1): void {
    this.#tabs += count;
    this.#closeCell();
  }

  /** Writes leading rows without values too, for readers that identify rows by number. */
  beginWithBlanks(): void {
    this.begin(null, null, 1);
    this.#grid = { columns: null, cells: 'rows', firstRow: 1 };
  }

  /** Something of this table has been written: rows can be added as they are. */
  get begun(): boolean {
    return this.#grid !== null;
  }

  /** Whole rows, as they would have been written. */
  rows(text: Uint8Array): void {
    if (this.#end + text.length > this.#buffer.length) this.#grow(text.length);
    this.#buffer.set(text, this.#end);
    this.#end += text.length;
  }

  endRow(): void {
    this.#tabs = 0;
    this.#closeCell();
    if (this.#grid === null) {
      this.#firstRow++;
      return;
    }
    if (this.#end === this.#buffer.length) this.#grow(1);
    this.#buffer[this.#end++] = LF;
  }

  /** Rows without any value, between others, as many as there is room for; how many that are. */
  blankRows(count: number): number {
    if (this.#grid === null) {
      this.#firstRow += count;
      return count;
    }
    const some = Math.min(count, BLOCK);
    if (this.#end + some > this.#buffer.length) this.#grow(some);
    this.#buffer.fill(LF, this.#end, this.#end + some);
    this.#end += some;
    return some;
  }

  get full(): boolean {
    return this.#end >= BLOCK;
  }

  /** Counts bytes that were examined and are not text, because the same few may be referenced repeatedly. */
  skip(bytes: number): void {
    this.#written += bytes;
    this.#budget.checkRatio(this.#written, this.#size);
  }

  /** What has been written. A character that is cut off stays for the next time. */
  *take(): Generator<TextChunk> {
    const whole = wholeCharacters(this.#buffer, this.#end);
    if (whole === 0 || this.#grid === null) return;
    this.skip(whole);
    for (let at = 0; at < whole; ) {
      const end = at + BLOCK < whole ? wholeCharacters(this.#buffer, at + BLOCK) : whole;
      yield {
        is: 'text',
        location: this.#location,
        text: valid(this.#buffer.subarray(at, end)),
        grid: this.#grid,
      };
      at = end;
    }
    this.#buffer.copy(this.#buffer, 0, whole, this.#end);
    this.#end -= whole;
    if (this.#buffer.length > KEPT) this.#buffer = Buffer.from(this.#buffer.subarray(0, 2 * BLOCK));
  }

  /** The rows written, for a caller that stores them elsewhere; they are not counted. */
  takeRows(): Uint8Array {
    const text = this.#buffer.subarray(0, this.#end);
    this.#end = 0;
    return text;
  }

  /** Reserves space for this many bytes of the cell, with the separators before them. */
  #open(length: number): void {
    if (this.#label !== null) this.#writeLabel(this.#label);
    this.#grid ??= { columns: this.#columns, cells: 'rows', firstRow: this.#firstRow };
    const needed = length + this.#tabs + 2;
    if (this.#end + needed > this.#buffer.length) this.#grow(needed);
    for (; this.#tabs > 0; this.#tabs--) this.#buffer[this.#end++] = TAB;
    if (this.#apart !== 0) {
      this.#buffer[this.#end++] = this.#apart;
      this.#buffer[this.#end++] = SPACE;
      this.#apart = 0;
    }
    this.#filled = true;
  }

  #writeLabel(name: Uint8Array): void {
    this.#label = null;
    this.bytes(name, 0, name.length);
    this.#apart = COLON;
  }

  #closeCell(): void {
    this.#filled = false;
    this.#apart = 0;
    this.#keyed = false;
    this.#label = null;
  }

  #digits(value: number, count: number): void {
    this.#end = putDigits(value, count, this.#buffer, this.#end);
  }

  /** A row is buffered until it is complete or its reader flushes it. */
  #grow(needed: number): void {
    const length = this.#end + needed;
    const max = this.#budget.limits.documentMegabytes * 384 * 1024;
    if (length > max) throw new PartLimitExceeded('row length');
    const larger = Buffer.allocUnsafeSlow(Math.min(max, length + Math.min(length, 64 * KEPT)));
    this.#buffer.copy(larger, 0, 0, this.#end);
    this.#buffer = larger;
  }
}

function valid(text: Buffer): Buffer {
  return isUtf8(text) ? text : Buffer.from(text.toString('utf8'));
}
