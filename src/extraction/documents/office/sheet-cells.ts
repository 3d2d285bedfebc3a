import { cellText } from '../../grid.ts';
import { longer, unescaped } from '../sheets/cell-value.ts';
import type { NumberFormat } from '../sheets/number-format.ts';
import type { NumberText } from '../sheets/number-text.ts';
import type { SheetRows } from '../sheets/sheet-rows.ts';
import type { XmlTokens } from '../xml/xml-tokens.ts';
import { columnOf, rowOf } from './cell-reference.ts';
import type { SharedStrings } from './shared-strings.ts';

/** What the cells of all sheets of a workbook refer to. */
export interface CellReferences {
  readonly strings: SharedStrings;
  readonly formats: readonly NumberFormat[];
  readonly numbers: NumberText;
}

/** The tokens of a sheet to rows of cells. */
export class SheetCells {
  readonly #references: CellReferences;
  readonly #rows: SheetRows;
  /** Links whose address no cell has shown yet. */
  readonly unseen: Set<string>;
  /** Cells referred to a text that is not there. */
  astray = false;
  /** We are among the rows. */
  within = false;
  #inCell = false;
  #telling: 'value' | 'formula' | null = null;
  #value = '';
  #formula = '';
  #spoken = false;
  #type: string | null = null;
  #style = 0;
  #row = 0;
  #column = -1;
  #cells: string[] = [];

  constructor(references: CellReferences, rows: SheetRows, links: Iterable<string>) {
    this.#references = references;
    this.#rows = rows;
    this.unseen = new Set(links);
  }

  take(xml: XmlTokens): void {
    if (xml.token === 'text') {
      if (this.#telling === 'value')
        this.#value = this.#value === '' ? xml.text : longer(this.#value, xml.text);
      else if (this.#telling === 'formula') this.#formula = longer(this.#formula, xml.text);
    } else if (xml.token === 'open') this.#open(xml);
    else this.#close(xml.name);
  }

  #open(xml: XmlTokens): void {
    switch (xml.name) {
      case 'c':
        this.#inCell = true;
        this.#column = columnOf(xml.attribute('r'), this.#column + 1);
        this.#type = xml.attribute('t');
        if (this.#type === null || this.#type === 'n') this.#style = Number(xml.attribute('s') ?? 0);
        return;
      case 'v':
        if (this.#inCell) this.#telling = 'value';
        return;
      case 't':
        if (this.#inCell && !this.#spoken) this.#telling = 'value';
        return;
      case 'f':
        if (this.#inCell) this.#telling = 'formula';
        return;
      case 'rPh':
        this.#spoken = true;
        return;
      case 'row':
        this.#row = rowOf(xml.attribute('r'), this.#row + 1);
        this.#column = -1;
        return;
      case 'sheetData':
        this.within = true;
    }
  }

  #close(name: string): void {
    this.#telling = null;
    if (name === 'c') this.#endCell();
    else if (name === 'rPh') this.#spoken = false;
    else if (name === 'row') this.endRow();
    else if (name === 'sheetData') this.within = false;
  }

  /** Also when the sheet breaks off within a row. */
  endRow(): void {
    const cells = this.#cells;
    if (cells.length === 0) return;
    this.#cells = [];
    this.#rows.add(this.#row, cells);
  }

  #endCell(): void {
    const text = this.#text();
    this.#inCell = false;
    this.#value = '';
    this.#formula = '';
    if (text === '') return;
    if (this.unseen.size > 0) this.unseen.delete(text);
    const cells = this.#cells;
    while (cells.length < this.#column) cells.push('');
    cells[this.#column] = text;
  }

  #text(): string {
    const value = this.#value;
    // A program that doesn't calculate leaves a formula without its value.
    if (value === '') return this.#formula === '' ? '' : cellText(`=${this.#formula}`);
    switch (this.#type) {
      case 's':
        return this.#sharedString(Number(value));
      case null:
      case 'n':
        return this.#references.numbers.text(value, this.#references.formats[this.#style] ?? 'as it is');
      case 'b':
        return value === '1' ? 'TRUE' : 'FALSE';
      default:
        return cellText(unescaped(value));
    }
  }

  #sharedString(index: number): string {
    const text = this.#references.strings.get(index);
    if (text === null) this.astray = true;
    return text ?? '';
  }
}
