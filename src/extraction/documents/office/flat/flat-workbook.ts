import type { DocumentItem } from '../../../document-item.ts';
import { CorruptInput } from '../../../extraction-error.ts';
import { columnLetters } from '../../../grid.ts';
import { sheetLocation } from '../../sheets/cell-value.ts';
import { marginLines } from '../../sheets/margin-lines.ts';
import { type Meter, SheetRows } from '../../sheets/sheet-rows.ts';
import { SparseRow } from '../../sheets/sparse-row.ts';
import type { XmlTokens } from '../../xml/xml-tokens.ts';
import { MAX_COLUMNS, MAX_ROWS, rowOf } from '../excel/cell-reference.ts';
import { literalOf } from '../excel/formula-literal.ts';
import { PropertyText } from '../package/properties.ts';
import { TextFlow } from '../text/text-flow.ts';
import { FlatCell } from './flat-cell.ts';
import type { FlatText } from './flat-text.ts';
import { FlatValidation } from './flat-validation.ts';

const PROPERTIES = new Set(['DocumentProperties', 'CustomDocumentProperties']);

/** What Excel of 2003 writes as XML, and many programs that make reports. */
export class FlatWorkbook implements FlatText {
  readonly #meter: Meter;
  readonly #properties = new PropertyText(3);
  #section = ''; // of the workbook: its properties, a sheet, and others
  /** What is ended and not taken yet. */
  #ended: (SheetRows | TextFlow)[] = [];
  #rows: SheetRows | null = null;
  #location = '';
  /** Text of the sheet outside of its cells, by location. */
  readonly #nestedFlows = new Map<string, TextFlow>();
  /** The one of them that is to be taken before the sheet ends. */
  #full: TextFlow | null = null;
  readonly #names = new TextFlow('names');
  readonly #validation = new FlatValidation();
  readonly #cell = new FlatCell();
  #cells = new SparseRow();
  #row = 0;
  #rowsLike = 0; // repeated empty rows, which are not written
  #column = -1;
  #skipped = 0; // columns that the last cell covers

  constructor(meter: Meter) {
    this.#meter = meter;
  }

  take(xml: XmlTokens): void {
    if (xml.token === 'open' && xml.depth === 2) this.#section = xml.name;
    if (PROPERTIES.has(this.#section)) this.#properties.take(xml);
    else if (xml.token === 'open') this.#open(xml);
    else if (xml.token === 'text') this.#text(xml);
    else this.#close(xml);
  }

  get ready(): boolean {
    return this.#ended.length > 0 || this.#rows?.ready === true || this.#full !== null;
  }

  *items(): Generator<DocumentItem> {
    const ended = this.#ended;
    this.#ended = [];
    for (const each of ended) yield* each.end();
    if (this.#rows !== null) yield* this.#rows.take();
    if (this.#full !== null) yield* this.#full.take();
    this.#full = null;
  }

  *end(): Generator<DocumentItem> {
    this.#endCell();
    this.#endRow();
    this.#endSheet();
    yield* this.items();
    yield* this.#names.end();
    yield* this.#properties.flow.end();
  }

  #open(xml: XmlTokens): void {
    switch (xml.name) {
      case 'Worksheet':
        this.#endSheet();
        this.#location = sheetLocation(xml.attribute('Name'));
        this.#rows = new SheetRows(this.#location, this.#meter);
        this.#row = 0;
        this.#rowsLike = 0;
        return;
      case 'Row':
        return this.#beginRow(xml);
      case 'Cell':
        this.#beginCell(xml);
        return;
      case 'Header':
      case 'Footer':
        for (const line of marginLines(xml.attribute('Data') ?? ''))
          this.#beside(xml.name.toLowerCase(), line);
        return;
      case 'NamedRange':
        return this.#name(xml.attribute('Name'), xml.attribute('RefersTo'));
      default:
        this.#cell.open(xml);
        this.#validation.open(xml);
    }
  }

  #text(xml: XmlTokens): void {
    this.#cell.text(xml);
    this.#validation.text(xml);
  }

  #beginRow(xml: XmlTokens): void {
    this.#row = rowOf(xml.attribute('Index'), this.#row + 1 + this.#rowsLike);
    const like = Number(xml.attribute('Span') ?? 0);
    this.#rowsLike = like > 0 && like < MAX_ROWS ? Math.floor(like) : 0;
    this.#column = -1;
    this.#skipped = 0;
  }

  #beginCell(xml: XmlTokens): void {
    const index = xml.attribute('Index');
    this.#column = index === null ? this.#column + 1 + this.#skipped : Number(index) - 1;
    if (!(this.#column >= 0 && this.#column < MAX_COLUMNS)) throw new CorruptInput('cell reference');
    const covered = Number(xml.attribute('MergeAcross') ?? 0);
    this.#skipped = covered > 0 && covered < MAX_COLUMNS ? Math.floor(covered) : 0;
    this.#cell.begin(xml);
  }

  #close(xml: XmlTokens): void {
    switch (xml.name) {
      case 'Cell':
        return this.#endCell();
      case 'Row':
        return this.#endRow();
      case 'Worksheet':
        return this.#endSheet();
      default:
        this.#cell.close(xml);
        this.#beside('validation', this.#validation.close(xml));
    }
  }

  #endCell(): void {
    const { value, link, comment } = this.#cell.take();
    if (value !== '' && !this.#cells.put(this.#column, value)) {
      this.#endRow();
      this.#cells.put(this.#column, value);
    }
    const name = `${columnLetters(Math.max(0, this.#column))}${this.#row}`;
    if (comment !== '') this.#beside('comments', `${name}: ${comment}`);
    this.#beside('links', link);
  }

  #endRow(): void {
    const { cells, skips, empty } = this.#cells;
    if (empty) return;
    this.#cells = new SparseRow();
    this.#rows?.add(this.#row, cells, skips);
  }

  #endSheet(): void {
    if (this.#rows !== null) this.#ended.push(this.#rows);
    this.#ended.push(...this.#nestedFlows.values());
    this.#nestedFlows.clear();
    this.#rows = null;
  }

  #beside(what: string, text: string | null): void {
    if (text === null || text === '') return;
    const location = `${this.#location} ${what}`;
    const flow = this.#nestedFlows.get(location) ?? new TextFlow(location);
    this.#nestedFlows.set(location, flow);
    flow.writeLine(text);
    if (flow.full) this.#full = flow;
  }

  /** A name defined as a value. */
  #name(name: string | null, formula: string | null): void {
    const value = literalOf(formula?.replace(/^=/, '') ?? '') ?? '';
    if (value !== '') this.#names.writeLine(`${name ?? ''}: ${value}`);
  }
}
