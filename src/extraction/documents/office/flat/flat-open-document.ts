import type { DocumentItem, ReadingOptions } from '../../../document-item.ts';
import type { Meter } from '../../sheets/sheet-rows.ts';
import type { XmlTokens } from '../../xml/xml-tokens.ts';
import { OpenContent } from '../open-document/open-content.ts';
import { PropertyText } from '../package/properties.ts';
import { TextFlow } from '../text/text-flow.ts';
import { BinaryData } from './binary-data.ts';
import type { FlatText } from './flat-text.ts';

const SECTION_DEPTH = 2;

/** OpenDocument in one file (`.fodt`, `.fods`, …): what are parts of a package are its sections. */
export class FlatOpenDocument implements FlatText {
  readonly #content: OpenContent;
  readonly #header: OpenContent;
  readonly #properties = new PropertyText(SECTION_DEPTH + 1);
  readonly #scripts = new TextFlow('scripts');
  readonly #binary: BinaryData;
  readonly #ocr: boolean;
  #section = '';
  #documentDepth = 0; // of the document that began last
  #innerDepth = 0; // of a section of an embedded document that we are in; 0: none
  #isObject = false; // what is embedded is a document, no picture

  constructor(meter: Meter, { ocr }: ReadingOptions) {
    this.#content = new OpenContent(null, meter);
    this.#header = new OpenContent('header', meter);
    this.#binary = new BinaryData('binary-data', meter.budget);
    this.#ocr = ocr;
  }

  take(xml: XmlTokens): void {
    if (xml.token === 'open') {
      if (xml.depth === SECTION_DEPTH) this.#section = xml.name;
      else if (xml.name === 'object-ole' || xml.name === 'image') this.#isObject = xml.name === 'object-ole';
    }
    if (this.#binary.take(xml, this.#isObject || this.#ocr) || this.#isOfInner(xml)) return;
    switch (this.#section) {
      case 'body':
        return this.#content.take(xml);
      case 'master-styles':
        return this.#header.take(xml);
      case 'meta':
        return this.#properties.take(xml);
      case 'scripts':
        return this.#script(xml);
    }
  }

  get ready(): boolean {
    const isFull = this.#scripts.full || this.#properties.flow.full;
    return isFull || this.#content.ready || this.#header.ready || this.#binary.ready;
  }

  *items(): Generator<DocumentItem> {
    yield* this.#content.items();
    yield* this.#header.items();
    for (const flow of [this.#scripts, this.#properties.flow]) if (flow.full) yield* flow.take();
    yield* this.#binary.items();
  }

  *end(): Generator<DocumentItem> {
    yield* this.#content.end();
    yield* this.#header.end();
    yield* this.#properties.flow.end();
    yield* this.#scripts.end();
    yield* this.#binary.items();
    this.#binary.finish();
  }

  /** An embedded document contains a complete document, of which only the body is text. */
  #isOfInner(xml: XmlTokens): boolean {
    if (this.#innerDepth === 0) {
      if (xml.name === 'document') this.#documentDepth = xml.token === 'open' ? xml.depth : 0;
      const isSection = xml.token === 'open' && xml.depth === this.#documentDepth + 1;
      if (isSection && xml.depth > SECTION_DEPTH && xml.name !== 'body') this.#innerDepth = xml.depth;
      return this.#innerDepth > 0;
    }
    if (xml.token === 'close' && xml.depth < this.#innerDepth) this.#innerDepth = 0;
    return true;
  }

  #script(xml: XmlTokens): void {
    if (xml.token !== 'text') return this.#scripts.breakLine();
    // A text may come in several tokens; only leading blanks of the first are insignificant.
    const { text } = xml;
    if (!this.#scripts.atLineStart) this.#scripts.write(text);
    else if (text.trim() !== '') this.#scripts.write(text.trimStart());
  }
}
