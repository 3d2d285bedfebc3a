import { CorruptInput } from '../../../extraction-error.ts';
import { cellText } from '../../../grid.ts';
import { rkNumber } from '../../sheets/rk-number.ts';
import { type BiffRecords, uint16, uint32 } from './biff-records.ts';
import { BiffStrings } from './biff-strings.ts';
import { CONTINUE, type Globals } from './excel-globals.ts';

const FORMULA = 0x06;
const MULRK = 0xbd;
const RSTRING = 0xd6;
const LABELSST = 0xfd;
const NUMBER = 0x203;
const LABEL = 0x204;
const BOOLERR = 0x205;
const STRING = 0x207;
const RK = 0x27e;

/** The records that put a value into a cell, and the bytes they need. */
const LENGTHS: ReadonlyMap<number, number> = new Map([
  [FORMULA, 14],
  [MULRK, 6],
  [RSTRING, 8],
  [LABELSST, 10],
  [NUMBER, 14],
  [LABEL, 8],
  [BOOLERR, 8],
  [RK, 10],
]);

/** Row and column are counted from 0; the text is escaped for a grid. */
export type TakeCell = (row: number, column: number, text: string) => void;

export function isCell(type: number): boolean {
  return LENGTHS.has(type);
}

/** Some of the rows of a sheet. */
export interface Rows {
  readonly first: number;
  readonly end: number;
}

/** Records of a sheet become values of the cells in some of its rows. */
export class CellReader {
  readonly #globals: Globals;
  readonly #take: TakeCell;
  readonly #rows: Rows;
  /** The cell whose formula has a text for its result: it follows in a record of its own. */
  #formula: { row: number; column: number } | null = null;
  readonly #result = new BiffStrings((text) => this.#calculatedText(text));
  /** A cell refers to a shared string that isn't there. */
  damaged = false;

  constructor(globals: Globals, rows: Rows, take: TakeCell) {
    this.#globals = globals;
    this.#rows = rows;
    this.#take = take;
  }

  take(record: BiffRecords): void {
    const { type, bytes, from, to } = record;
    const min = LENGTHS.get(type);
    if (min !== undefined) {
      if (to - from < min) throw new CorruptInput('workbook record');
      this.#cell(record);
    } else if (type === STRING && this.#globals.text.isOld) {
      this.#calculatedText(this.#globals.text.string(bytes, from, to, 2));
    } else if (type === STRING || (type === CONTINUE && this.#result.open)) {
      this.#result.feed(bytes, from, to);
    }
  }

  #cell({ type, bytes, from, to }: BiffRecords): void {
    const row = uint16(bytes, from);
    if (type === FORMULA) this.#formula = null;
    if (row < this.#rows.first || row >= this.#rows.end) return;
    const column = uint16(bytes, from + 2);
    const formatIndex = uint16(bytes, from + 4);
    if (type === LABELSST) this.#shared(row, column, uint32(bytes, from + 6));
    else if (type === RK)
      this.#take(row, column, this.#number(rkNumber(uint32(bytes, from + 6)), formatIndex));
    else if (type === NUMBER)
      this.#take(row, column, this.#number(bytes.readDoubleLE(from + 6), formatIndex));
    else if (type === MULRK) this.#numbers(row, column, bytes, from + 4, to - 2);
    else if (type === FORMULA) this.#calculated(row, column, formatIndex, bytes, from + 6);
    else if (type === BOOLERR) this.#truth(row, column, bytes[from + 6]!, bytes[from + 7]!);
    else this.#take(row, column, cellText(this.#globals.text.string(bytes, from + 6, to, 2)));
  }

  #shared(row: number, column: number, index: number): void {
    const text = this.#globals.strings[index];
    if (text === undefined) this.damaged = true;
    else this.#take(row, column, text);
  }

  #numbers(row: number, first: number, bytes: Buffer, from: number, to: number): void {
    for (let at = from, column = first; at + 6 <= to; at += 6, column++) {
      this.#take(row, column, this.#number(rkNumber(uint32(bytes, at + 2)), uint16(bytes, at)));
    }
  }

  /** The result as it was calculated last. */
  #calculated(row: number, column: number, formatIndex: number, bytes: Buffer, at: number): void {
    if (uint16(bytes, at + 6) !== 0xffff) {
      this.#take(row, column, this.#number(bytes.readDoubleLE(at), formatIndex));
    } else if (bytes[at] === 0) {
      this.#formula = { row, column };
    } else if (bytes[at] === 1) {
      this.#truth(row, column, bytes[at + 2]!, 0);
    }
  }

  #calculatedText(text: string): void {
    if (this.#formula !== null) this.#take(this.#formula.row, this.#formula.column, cellText(text));
  }

  #truth(row: number, column: number, value: number, isError: number): void {
    if (isError === 0) this.#take(row, column, value === 0 ? 'FALSE' : 'TRUE');
  }

  #number(value: number, formatIndex: number): string {
    return this.#globals.numberText(value, formatIndex);
  }
}
