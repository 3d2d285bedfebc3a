import type { DocumentItem } from '../../../document-item.ts';
import { columnLetters } from '../../../grid.ts';
import { sheetLocation } from '../../sheets/cell-value.ts';
import { type Meter, SheetRows } from '../../sheets/sheet-rows.ts';
import type { XmlTokens } from '../../xml/xml-tokens.ts';
import { TextFlow } from '../text/text-flow.ts';
import { OpenSheet } from './open-sheet.ts';
import { type NestedTextType, OpenText } from './open-text.ts';

/** Drawn things in a sheet: their text is not a cell's. */
const DRAWN = new Set(
  'shapes frame custom-shape rect ellipse circle polygon polyline path line connector caption g'.split(' '),
);

/** The content of an OpenDocument: text, sheets, or pages, depending on its elements. */
export class OpenContent {
  readonly #meter: Meter;
  readonly #base: string | null;
  readonly #text: OpenText;
  /** Text outside of the current text, page or sheet. */
  readonly #nestedFlows = new Map<string, TextFlow>();
  /** What is ended and not taken yet. */
  #ended: (TextFlow | OpenSheet)[] = [];
  #main: TextFlow;
  #sheet: OpenSheet | null = null;
  #scene: string | null = null;
  #kind = '';
  #pages = 0;
  #tables = 0; // that we are in: a cell may have a table

  /** `base`: what text is called that is on no page and in no sheet. */
  constructor(base: string | null, meter: Meter) {
    this.#meter = meter;
    this.#base = base;
    this.#main = new TextFlow(base);
    this.#text = new OpenText(this.#main, (nestedType) => this.#nestedFlow(nestedType));
  }

  take(xml: XmlTokens): void {
    if (xml.token === 'open') this.#open(xml);
    this.#text.take(xml);
    if (xml.token === 'close') this.#close(xml.name);
  }

  get ready(): boolean {
    return this.#ended.length > 0 || this.#text.flow.full || this.#sheet?.ready === true;
  }

  *items(): Generator<DocumentItem> {
    const ended = this.#ended;
    this.#ended = [];
    for (const each of ended) yield* each.end();
    if (this.#sheet !== null) yield* this.#sheet.items();
    const { flow } = this.#text;
    if (flow instanceof TextFlow && flow.full) yield* flow.take();
  }

  /** What is left, also of content that breaks off. */
  *end(): Generator<DocumentItem> {
    this.#sheet?.endCell();
    this.#sheet?.endRow();
    this.#endScene();
    yield* this.items();
  }

  #open(xml: XmlTokens): void {
    switch (xml.name) {
      case 'spreadsheet':
      case 'presentation':
      case 'drawing':
        this.#kind ||= xml.name;
        return;
      case 'page':
        return this.#beginPage();
      case 'table':
        if (this.#kind === 'spreadsheet' && ++this.#tables === 1) this.#beginSheet(xml.attribute('name'));
        return;
    }
    if (this.#sheet !== null && this.#tables === 1) this.#inSheet(xml, this.#sheet);
  }

  #beginPage(): void {
    this.#endScene();
    this.#meter.budget.countPage();
    this.#scene = `${this.#kind === 'drawing' ? 'page' : 'slide'} ${++this.#pages}`;
    this.#main = new TextFlow(this.#scene);
    this.#text.flow = this.#main;
  }

  #beginSheet(name: string | null): void {
    this.#endScene();
    this.#scene = sheetLocation(name);
    this.#sheet = new OpenSheet(new SheetRows(this.#scene, this.#meter));
  }

  #inSheet(xml: XmlTokens, sheet: OpenSheet): void {
    switch (xml.name) {
      case 'table-row':
        return sheet.beginRow(xml);
      case 'table-cell':
      case 'covered-table-cell':
        sheet.beginCell(xml);
        this.#text.flow = sheet.cell;
        return;
    }
    if (DRAWN.has(xml.name) && !this.#text.isNested) this.#text.enterNested('drawings', xml.depth);
  }

  #close(name: string): void {
    if (name === 'page') this.#endScene();
    else if (name === 'table' && this.#tables > 0) {
      if (--this.#tables === 0) this.#endScene();
    } else if (this.#sheet === null || this.#tables !== 1) return;
    else if (name === 'table-row') this.#sheet.endRow();
    else if (name === 'table-cell' || name === 'covered-table-cell') {
      this.#sheet.endCell();
      if (!this.#text.isNested) this.#text.flow = this.#main;
    }
  }

  #endScene(): void {
    if (this.#sheet !== null) this.#ended.push(this.#sheet);
    this.#ended.push(this.#main, ...this.#nestedFlows.values());
    this.#nestedFlows.clear();
    this.#sheet = null;
    this.#scene = null;
    this.#main = new TextFlow(this.#base);
    this.#text.flow = this.#main;
  }

  #nestedFlow(nestedType: NestedTextType): TextFlow {
    const location = this.#scene === null ? nestedType : `${this.#scene} ${nestedType}`;
    let flow = this.#nestedFlows.get(location);
    if (flow === undefined) {
      flow = new TextFlow(location);
      this.#nestedFlows.set(location, flow);
    }
    if (this.#sheet !== null && nestedType === 'comments') {
      const { column, row } = this.#sheet.at;
      flow.write(`${columnLetters(column)}${row}: `);
    }
    return flow;
  }
}
