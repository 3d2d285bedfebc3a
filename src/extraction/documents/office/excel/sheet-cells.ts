import { cellText } from '../../../grid.ts';
import type { CellRows } from '../../sheets/cell-rows.ts';
import { longer, unescaped } from '../../sheets/cell-value.ts';
import type { XmlTokens } from '../../xml/xml-tokens.ts';
import { columnOf, rowOf } from './cell-reference.ts';
import type { CellReferences, SheetTexts } from './sheet-texts.ts';

/** The tokens of a sheet to rows of cells. */
export class SheetCells {
  readonly #texts: SheetTexts;
  readonly #references: CellReferences;
  readonly #rows: CellRows;
  /** We are among the rows. */
  within = false;
  #inCell = false;
  #capturing: 'value' | 'formula' | null = null;
  #value = '';
  #formula = '';
  #isPhonetic = false;
  #type: string | null = null;
  #style = 0;
  #row = 0; // counted from 1
  #column = -1;

  constructor(texts: SheetTexts) {
    this.#texts = texts;
    this.#references = texts.references;
    this.#rows = texts.rows;
  }

  take(xml: XmlTokens): void {
    if (xml.token === 'text') {
      if (this.#capturing === 'value')
        this.#value = this.#value === '' ? xml.text : longer(this.#value, xml.text);
      else if (this.#capturing === 'formula') this.#formula = longer(this.#formula, xml.text);
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
        if (this.#inCell) this.#capturing = 'value';
        return;
      case 't':
        if (this.#inCell && !this.#isPhonetic) this.#capturing = 'value';
        return;
      case 'f':
        if (this.#inCell) this.#capturing = 'formula';
        return;
      case 'rPh':
        this.#isPhonetic = true;
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
    this.#capturing = null;
    if (name === 'c') this.#endCell();
    else if (name === 'rPh') this.#isPhonetic = false;
    else if (name === 'row') this.#rows.endRow();
    else if (name === 'sheetData') this.within = false;
  }

  #endCell(): void {
    const text = this.#text();
    this.#inCell = false;
    this.#value = '';
    this.#formula = '';
    this.#rows.put(this.#row - 1, this.#column, text);
  }

  #text(): string {
    const value = this.#value;
    // A program that doesn't calculate leaves a formula without its value.
    if (value === '') return this.#formula === '' ? '' : cellText(`=${this.#formula}`);
    switch (this.#type) {
      case 's':
        return this.#texts.sharedString(Number(value));
      case null:
      case 'n':
        return this.#references.numbers.text(value, this.#references.formats[this.#style] ?? 'as it is');
      case 'b':
        return value === '1' ? 'TRUE' : 'FALSE';
      default:
        return cellText(unescaped(value));
    }
  }
}
