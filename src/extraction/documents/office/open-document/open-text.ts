import type { XmlTokens } from '../../xml/xml-tokens.ts';
import { LinkText } from '../text/link-text.ts';

/** The output of OpenDocument text: lines, or a cell's value. */
export interface Flow {
  readonly full: boolean;
  write(text: string): void;
  endLine(): void;
  beginTable(): void;
  endTable(): void;
  markHead(): void;
  skipColumns(columns: number): void;
  beginCell(): void;
  endCell(): void;
  endRow(): void;
}

/** Text that is nested in other text but written separately. */
export type NestedTextType = 'comments' | 'footnotes' | 'endnotes' | 'notes' | 'footer' | 'drawings';

const NESTED_TEXTS: ReadonlyMap<string, NestedTextType> = new Map([
  ['annotation', 'comments'],
  ['note-body', 'footnotes'],
  ['notes', 'notes'],
  ['footer', 'footer'],
  ['footer-left', 'footer'],
  ['footer-first', 'footer'],
]);
/** Elements whose own text is a line: descriptions of drawings, headers and footers of slides. */
const LINES = new Set(['p', 'h', 'title', 'desc', 'header-decl', 'footer-decl', 'date-time-decl']);
const MAX_SPACES = 100;
const GAP = /[\t\n\r ]+/g;
const UNEVEN = /[\t\n\r]| {2}/;

/** Paragraphs with their content: the same elements in texts, cells, slides and drawings. */
export class OpenText {
  flow: Flow;
  readonly #nestedFlow: (nestedType: NestedTextType) => Flow;
  readonly #link = new LinkText();
  /** Suspended flows, to resume when a nested text ends, with its depth. */
  readonly #waiting: { readonly flow: Flow; readonly depth: number }[] = [];
  #paragraphs = 0; // that we are in: a box in a paragraph has paragraphs
  #begun: Flow | null = null; // in which a line has begun
  #creator = false;
  #atEnd = false; // whether the current note is an endnote
  #hiddenDepth = 0; // the depth of what is not text of the document; 0: none

  constructor(flow: Flow, nestedFlow: (nestedType: NestedTextType) => Flow) {
    this.flow = flow;
    this.#nestedFlow = nestedFlow;
  }

  take(xml: XmlTokens): void {
    if (xml.token === 'text') {
      if ((this.#paragraphs > 0 || this.#creator) && this.#hiddenDepth === 0) this.#text(xml.text);
    } else if (xml.token === 'open') this.#open(xml);
    else this.#close(xml);
  }

  get isNested(): boolean {
    return this.#waiting.length > 0;
  }

  /** From here on the element's text is written separately, until it ends. */
  enterNested(nestedType: NestedTextType, depth: number): void {
    this.#waiting.push({ flow: this.flow, depth });
    this.flow = this.#nestedFlow(nestedType);
  }

  #text(text: string): void {
    const even = UNEVEN.test(text) ? text.replace(GAP, ' ') : text;
    if (!this.#creator) this.#begun = this.flow;
    this.flow.write(even);
    this.#link.text(even);
  }

  #open(xml: XmlTokens): void {
    if (xml.name === 'note') this.#atEnd = xml.attribute('note-class') === 'endnote';
    const nestedType = NESTED_TEXTS.get(xml.name);
    if (nestedType !== undefined)
      this.enterNested(nestedType === 'footnotes' && this.#atEnd ? 'endnotes' : nestedType, xml.depth);
    if (LINES.has(xml.name)) {
      this.#paragraphs++;
      // A box in a paragraph: its first word is not the paragraph's last.
      if (this.#begun === this.flow) this.flow.endLine();
      return;
    }
    switch (xml.name) {
      case 's':
        return this.flow.write(' '.repeat(spacesOf(xml.attribute('c'))));
      case 'tab':
        return this.flow.write('\t');
      case 'line-break':
        return this.flow.write('\n');
      case 'a':
        return this.#link.begin(xml.attribute('href'), 'a');
      case 'creator':
        this.#creator = this.#waiting.length > 0;
        return;
      case 'note-citation':
      case 'date':
        // A date is written if it is a field in a paragraph, not if it is the date of a comment.
        if (xml.name === 'note-citation' || this.#waiting.at(-1)?.depth === xml.depth - 1)
          this.#hiddenDepth ||= xml.depth;
        return;
      case 'table':
        return this.flow.beginTable();
      case 'table-header-rows':
        return this.flow.markHead();
      case 'table-cell':
      case 'covered-table-cell':
        this.flow.beginCell();
        return this.flow.skipColumns(Number(xml.attribute('number-columns-repeated') ?? 1) - 1);
      default:
        this.#control(xml);
    }
  }

  /** What was entered into a form. */
  #control(xml: XmlTokens): void {
    const value = CONTROLS.has(xml.name) ? xml.attribute('current-value') : null;
    if (value === null || value === '') return;
    this.flow.write(value);
    this.flow.endLine();
  }

  #close(xml: XmlTokens): void {
    if (xml.depth < this.#hiddenDepth) this.#hiddenDepth = 0;
    if (LINES.has(xml.name)) {
      if (this.#paragraphs > 0) this.#paragraphs--;
      this.#begun = null;
      this.flow.endLine();
    }
    switch (xml.name) {
      case 'a':
        this.#link.end(this.flow);
        break;
      case 'creator':
        if (this.#creator) this.flow.write(': ');
        this.#creator = false;
        break;
      case 'table-cell':
      case 'covered-table-cell':
        this.flow.endCell();
        break;
      case 'table-row':
        this.flow.endRow();
        break;
      case 'table':
        this.flow.endTable();
        break;
    }
    const nested = this.#waiting.at(-1);
    if (nested === undefined || xml.depth >= nested.depth) return;
    this.#waiting.pop();
    this.flow.endLine();
    this.flow = nested.flow;
  }
}

const CONTROLS = new Set(['text', 'textarea', 'formatted-text', 'combobox', 'number', 'date', 'time']);

function spacesOf(count: string | null): number {
  const spaces = Number(count ?? 1);
  return spaces >= 1 && spaces <= MAX_SPACES ? Math.floor(spaces) : 1;
}
