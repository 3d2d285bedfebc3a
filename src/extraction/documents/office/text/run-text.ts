import type { XmlTokens } from '../../xml/xml-tokens.ts';
import type { PartText } from '../package/parts.ts';
import { LinkText } from './link-text.ts';
import type { TextFlow } from './text-flow.ts';

/** Instructions of fields that concern only layout or counting; their bookmarks are long numbers. */
const LAYOUT =
  /^\s*(PAGE|PAGEREF|NUMPAGES|SECTION|SECTIONPAGES|TOC|REF|SEQ|STYLEREF|NOTEREF|FORMTEXT|FORMCHECKBOX|FORMDROPDOWN)\b/i;
const MAX_INSTRUCTION_LENGTH = 64 * 1024;

export interface RunOptions {
  /** Elements whose text is a line of its own. */
  readonly also?: readonly string[];
  /** Where hyperlinks lead, by the ids of their relations. */
  readonly links?: ReadonlyMap<string, string>;
}

/**
 * Runs of text in paragraphs and tables, as in Word and in drawings, whose elements have the same local names. Deleted text (tracked
 * changes) is included, because it is still in the file.
 */
export class RunText implements PartText {
  readonly flow: TextFlow;
  readonly #also: ReadonlySet<string>;
  readonly #links: ReadonlyMap<string, string>;
  #capturing: 'text' | 'instruction' | null = null;
  #instruction = '';
  #inTabStops = false;
  readonly #link = new LinkText();
  /** Sets of alternatives we are in, with how much was written before. */
  readonly #alternatives: { readonly depth: number; readonly written: number }[] = [];
  /** The depth of the element that is left out; 0: none. */
  #leftOut = 0;

  constructor(flow: TextFlow, { also = [], links = new Map() }: RunOptions = {}) {
    this.flow = flow;
    this.#also = new Set(also);
    this.#links = links;
  }

  take(xml: XmlTokens): void {
    if (this.#leftOut > 0) {
      if (xml.token === 'close' && xml.depth < this.#leftOut) this.#leftOut = 0;
    } else if (xml.token === 'text') {
      if (this.#capturing !== null) this.#text(xml.text);
    } else if (xml.token === 'open') this.#open(xml);
    else {
      this.#close(xml.name);
      while (xml.depth < (this.#alternatives.at(-1)?.depth ?? 0)) this.#alternatives.pop();
    }
  }

  #text(text: string): void {
    if (this.#capturing === 'instruction') {
      this.#instruction += text;
      if (this.#instruction.length > MAX_INSTRUCTION_LENGTH) this.#emitInstruction('field');
      return;
    }
    this.flow.write(text);
    this.#link.text(text);
  }

  #open(xml: XmlTokens): void {
    const { name } = xml;
    if (this.#also.has(name)) this.#capturing = 'text';
    switch (name) {
      case 't':
      case 'delText':
        this.#capturing = 'text';
        return;
      case 'instrText':
      case 'delInstrText':
        this.#capturing = 'instruction';
        return;
      case 'fldChar':
        return this.#field(xml.attribute('fldCharType'));
      case 'fldSimple':
        this.#instruction = xml.attribute('instr') ?? '';
        return this.#emitInstruction('fldSimple');
      case 'tabs':
        this.#inTabStops = true;
        return;
      case 'tab':
      case 'ptab':
        return this.#inTabStops ? undefined : this.flow.write('\t');
      case 'br':
      case 'cr':
        return this.flow.write('\n');
      case 'noBreakHyphen':
        return this.flow.write('-');
      case 'tbl':
        return this.flow.beginTable();
      case 'tblHeader':
        return isOff(xml.attribute('val')) ? undefined : this.flow.markHead();
      case 'gridBefore':
        return this.flow.skipColumns(Number(xml.attribute('val') ?? 0));
      case 'gridSpan':
        return this.flow.skipColumns(Number(xml.attribute('val') ?? 1) - 1);
      case 'tc':
        return this.flow.beginCell();
      case 'hyperlink':
        return this.#link.begin(this.#targetOf(xml), name);
      case 'hlink':
        return this.#link.begin(xml.attribute('dest'), name);
      case 'hlinkClick':
        return this.#link.begin(this.#targetOf(xml), 'r');
      case 'docPr':
      case 'cNvPr':
        this.#line(xml.attribute('title'), '');
        return this.#line(xml.attribute('descr'), '');
      case 'textpath':
        return this.#line(xml.attribute('string'), '');
      case 'comment':
        return this.#line(xml.attribute('author'), ': ');
      case 'AlternateContent':
        this.#alternatives.push({ depth: xml.depth, written: this.flow.written });
        return;
      case 'Fallback':
        // Fallback content for programs that don't support the first alternative.
        if (this.flow.written > (this.#alternatives.at(-1)?.written ?? Infinity)) this.#leftOut = xml.depth;
    }
  }

  #close(name: string): void {
    this.#capturing = null;
    if (this.#link.ends === name) this.#link.end(this.flow);
    if (this.#also.has(name)) this.flow.endLine();
    switch (name) {
      case 'p':
        if (this.#link.ends === 'r') this.#link.end(this.flow);
        return this.flow.endLine();
      case 'docPr':
      case 'cNvPr':
        return this.#link.end(this.flow);
      case 'tc':
        return this.flow.endCell();
      case 'tr':
        return this.flow.endRow();
      case 'tbl':
        return this.flow.endTable();
      case 'tabs':
        this.#inTabStops = false;
    }
  }

  #line(text: string | null, end: string): void {
    if (text === null || text === '') return;
    this.flow.write(text + end);
    if (end === '') this.flow.endLine();
  }

  #targetOf(xml: XmlTokens): string | undefined {
    return this.#links.get(xml.prefixedAttribute('id') ?? '');
  }

  /** A field begins, reaches its result, or ends. */
  #field(step: string | null): void {
    this.#emitInstruction('field');
    if (step === 'end' && this.#link.ends === 'field') this.#link.end(this.flow);
  }

  #emitInstruction(ends: string): void {
    const instruction = this.#instruction.trim();
    this.#instruction = '';
    const target = /^HYPERLINK\s+"([^"]+)"/i.exec(instruction)?.[1];
    if (target !== undefined) this.#link.begin(target, ends);
    else if (instruction !== '' && !LAYOUT.test(instruction)) this.flow.write(`${instruction} `);
  }
}

function isOff(value: string | null): boolean {
  return value === '0' || value === 'false' || value === 'off';
}
