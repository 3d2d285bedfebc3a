import { CorruptInput } from '../../../../extraction-error.ts';
import { cellText } from '../../../../grid.ts';
import type { CellRows } from '../../../sheets/cell-rows.ts';
import { rkNumber } from '../../../sheets/rk-number.ts';
import { MAX_COLUMNS, MAX_ROWS } from '../cell-reference.ts';
import type { SheetTexts } from '../sheet-texts.ts';
import type { BinaryRecords } from './binary-records.ts';
import { wideText } from './record-fields.ts';

const ROW = 0;
/** Cells with their column, of which some are the results of formulas. */
const BLANK = 1;
const RK = 2;
const ERROR = 3;
const BOOLEAN = 4;
const FLOAT = 5;
const TEXT = 6;
const SHARED = 7;
const FORMULA_TEXT = 8;
const FORMULA_FLOAT = 9;
const FORMULA_BOOLEAN = 10;
const FORMULA_ERROR = 11;
/** From here on the same types again in short form, without a column: each follows the previous cell. */
const FIRST_SHORT = 12;
const LAST_SHORT = 18;
const RICH_TEXT = 62;

const COLUMN_BYTES = 4;
const STYLE_BYTES = 4;
const STYLE = 0xffffff;

/** The bytes of a value, at least. */
const MIN_COUNT: Readonly<Record<number, number>> = {
  [RK]: 4,
  [ERROR]: 1,
  [BOOLEAN]: 1,
  [FLOAT]: 8,
  [TEXT]: 4,
  [SHARED]: 4,
  [FORMULA_TEXT]: 4,
  [FORMULA_FLOAT]: 8,
  [FORMULA_BOOLEAN]: 1,
  [FORMULA_ERROR]: 1,
  [RICH_TEXT]: 5,
};

const ERRORS: ReadonlyMap<number, string> = new Map([
  [0x00, '#NULL!'],
  [0x07, '#DIV/0!'],
  [0x0f, '#VALUE!'],
  [0x17, '#REF!'],
  [0x1d, '#NAME?'],
  [0x24, '#NUM!'],
  [0x2a, '#N/A'],
  [0x2b, '#GETTING_DATA'],
]);

/** The records of a sheet to rows of cells. */
export class BinaryCells {
  readonly #texts: SheetTexts;
  readonly #rows: CellRows;
  #row = 0;
  #column = -1;

  constructor(texts: SheetTexts) {
    this.#texts = texts;
    this.#rows = texts.rows;
  }

  /** Returns whether the record is one of a row or a cell. */
  take({ type, bytes, from, to }: BinaryRecords): boolean {
    if (type > LAST_SHORT && type !== RICH_TEXT) return false;
    if (type === ROW) this.#beginRow(bytes, from, to);
    else if (type >= FIRST_SHORT && type <= LAST_SHORT)
      this.#cell(type - FIRST_SHORT + BLANK, this.#column + 1, bytes, from, to);
    else {
      if (to - from < COLUMN_BYTES) throw new CorruptInput('workbook record');
      this.#cell(type, bytes.readUInt32LE(from), bytes, from + COLUMN_BYTES, to);
    }
    return true;
  }

  #beginRow(bytes: Buffer, from: number, to: number): void {
    if (to - from < 4) throw new CorruptInput('workbook record');
    this.#rows.endRow();
    this.#row = bytes.readUInt32LE(from);
    this.#column = -1;
    if (this.#row >= MAX_ROWS) throw new CorruptInput('cell reference');
  }

  #cell(type: number, column: number, bytes: Buffer, from: number, to: number): void {
    if (column >= MAX_COLUMNS) throw new CorruptInput('cell reference');
    this.#column = column;
    if (type === BLANK) return;
    const at = from + STYLE_BYTES;
    if (to - at < MIN_COUNT[type]!) throw new CorruptInput('workbook record');
    this.#rows.put(this.#row, column, this.#text(type, bytes, at, to));
  }

  #text(type: number, bytes: Buffer, at: number, to: number): string {
    switch (type) {
      case SHARED:
        return this.#texts.sharedString(bytes.readUInt32LE(at));
      case RK:
        return this.#number(rkNumber(bytes.readInt32LE(at)), bytes, at);
      case FLOAT:
      case FORMULA_FLOAT:
        return this.#number(bytes.readDoubleLE(at), bytes, at);
      case BOOLEAN:
      case FORMULA_BOOLEAN:
        return bytes[at] === 0 ? 'FALSE' : 'TRUE';
      case ERROR:
      case FORMULA_ERROR:
        return ERRORS.get(bytes[at]!) ?? '';
      default:
        return cellText(wideText(bytes, type === RICH_TEXT ? at + 1 : at, to));
    }
  }

  /** The cell's style precedes the value. */
  #number(value: number, bytes: Buffer, at: number): string {
    const style = bytes.readUInt32LE(at - STYLE_BYTES) & STYLE;
    const { numbers, formats } = this.#texts.references;
    return numbers.ofNumber(value, formats[style] ?? 'as it is');
  }
}
