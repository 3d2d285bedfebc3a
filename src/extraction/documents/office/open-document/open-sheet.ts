import type { DocumentItem } from '../../../document-item.ts';
import { CorruptInput } from '../../../extraction-error.ts';
import { cellText } from '../../../grid.ts';
import { longer } from '../../sheets/cell-value.ts';
import { plainNumber } from '../../sheets/number-text.ts';
import type { SheetRows } from '../../sheets/sheet-rows.ts';
import { SparseRow } from '../../sheets/sparse-row.ts';
import type { XmlTokens } from '../../xml/xml-tokens.ts';
import { MAX_COLUMNS, rowOf } from '../excel/cell-reference.ts';
import type { Flow } from './open-text.ts';

/** The paragraphs of a cell, in one line. */
class CellFlow implements Flow {
  readonly full = false;
  text = '';
  #gap = false;

  write(text: string): void {
    this.text = longer(this.text, this.#gap ? ` ${text}` : text);
    this.#gap = false;
  }

  endLine(): void {
    this.#gap = this.text !== '';
  }

  beginTable(): void {}

  endTable(): void {
    this.endLine();
  }

  markHead(): void {}

  skipColumns(): void {}

  beginCell(): void {}

  endCell(): void {
    this.endLine();
  }

  endRow(): void {
    this.endLine();
  }

  take(): string {
    const text = this.text;
    this.text = '';
    this.#gap = false;
    return text;
  }
}

/**
 * Converts an OpenDocument table to rows. Repeated cells and rows are stored once with a count; the empty ones up to the limits of the
 * sheet are only counted.
 */
export class OpenSheet {
  readonly cell = new CellFlow();
  readonly #rows: SheetRows;
  #row = 1;
  #rowTimes = 1;
  #column = 0;
  #cellTimes = 1;
  #cells = new SparseRow();
  /** What the cell holds besides its paragraphs. */
  #value: string | null = null;
  #isNumber = false;
  #again = 0; // remaining repetitions of the last row

  constructor(rows: SheetRows) {
    this.#rows = rows;
  }

  /** The cell we are in, counted from 0, and its row. */
  get at(): { readonly column: number; readonly row: number } {
    return { column: this.#column, row: this.#row };
  }

  beginRow(xml: XmlTokens): void {
    this.#rowTimes = timesOf(xml.attribute('number-rows-repeated'));
    this.#column = 0;
    this.#cells = new SparseRow();
  }

  beginCell(xml: XmlTokens): void {
    this.#cellTimes = timesOf(xml.attribute('number-columns-repeated'));
    const type = xml.attribute('value-type');
    this.#isNumber = type === 'float' || type === 'percentage' || type === 'currency';
    this.#value = type === null ? null : storedValue(xml, type);
    this.cell.take();
  }

  endCell(): void {
    const text = this.#text(this.cell.take());
    const end = this.#column + this.#cellTimes;
    if (text !== '') {
      if (end > MAX_COLUMNS) throw new CorruptInput('cell reference');
      this.#cells.put(this.#column, text, this.#cellTimes);
    }
    this.#column = end;
    this.#value = null;
  }

  /** Also when the table breaks off within a row. */
  endRow(): void {
    if (!this.#cells.empty) this.#again = this.#rowTimes;
    else this.#row += this.#rowTimes;
  }

  get ready(): boolean {
    return this.#again > 0 || this.#rows.ready;
  }

  *items(): Generator<DocumentItem> {
    if (this.#again > 0) {
      const { cells, skips } = this.#cells;
      for (; this.#again > 0; this.#again--) {
        this.#rows.add(rowOf(null, this.#row++), cells, skips);
        if (this.#rows.ready) yield* this.#rows.take();
      }
      this.#cells = new SparseRow();
    }
    yield* this.#rows.take();
  }

  *end(): Generator<DocumentItem> {
    yield* this.items();
    yield* this.#rows.end();
  }

  /** The stored number, unless it is displayed with more digits: leading zeros, groups. */
  #text(shown: string): string {
    const value = this.#value;
    if (value === null || value === '') return cellText(shown);
    if (!this.#isNumber) return cellText(value);
    const digits = shown.replace(/[-/ ()]/g, '');
    if (digits.length <= 32 && /^\d{5,}$/.test(digits) && Number(digits) === Number(value))
      return cellText(shown);
    return cellText(plainNumber(value, Number(value)));
  }
}

/** null: what is shown is the value. */
function storedValue(xml: XmlTokens, type: string): string | null {
  switch (type) {
    case 'float':
    case 'percentage':
    case 'currency':
      return xml.attribute('value');
    case 'date':
      return xml.attribute('date-value')?.replace('T', ' ').replace(' 00:00:00', '') ?? null;
    case 'string':
      return xml.attribute('string-value');
    default:
      return null;
  }
}

function timesOf(count: string | null): number {
  const times = Number(count ?? 1);
  return Number.isSafeInteger(times) && times >= 1 ? times : 1;
}
