import type { ExtractionBudget } from '../../../budget/extraction-budget.ts';
import type { DocumentItem, ReadingOptions } from '../../../document-item.ts';
import { Unsupported } from '../../../extraction-error.ts';
import { longer } from '../../sheets/cell-value.ts';
import type { XmlTokens } from '../../xml/xml-tokens.ts';
import type { PartText } from '../package/parts.ts';
import { AttributeText, PropertyText } from '../package/properties.ts';
import { RunText } from '../text/run-text.ts';
import { TextFlow } from '../text/text-flow.ts';
import { BinaryData } from './binary-data.ts';
import type { FlatText } from './flat-text.ts';

/** Elements whose text is separated from the text around them. */
const PLACES: ReadonlyMap<string, string> = new Map([
  ['hdr', 'header'],
  ['ftr', 'footer'],
  ['footnote', 'footnotes'],
  ['endnote', 'endnotes'],
  ['comment', 'comments'],
]);
const PROPERTIES = new Set([
  'DocumentProperties',
  'CustomDocumentProperties',
  'coreProperties',
  'Properties',
]);

/** Parts that are complete documents, and those that are data. */
const DOCUMENT = /\/embeddings\/|\/afchunk[^/]*$/i;
const DATA = /^\/customXml\/item\d*\.xml$/i;

/** What Word writes as XML: that of 2003, and since 2007 all parts of a package in one file. */
export class FlatWord implements FlatText {
  readonly #main = new RunText(new TextFlow(null));
  readonly #nestedFlows = new Map<string, RunText>();
  /** The nested texts that are open, each with its depth: a footnote may have a comment. */
  readonly #within: { readonly text: RunText; readonly depth: number }[] = [];
  /** Properties, and data: they are no runs. */
  readonly #apart: PartText[] = [];
  #apartDepth = 0; // of the element we are in; 0: none
  readonly #attributes = new AttributeText();
  readonly #binary: readonly BinaryData[];
  readonly #ocr: boolean;
  #isObject = false;
  #isWorkbook = false;

  constructor(budget: ExtractionBudget, { ocr }: ReadingOptions) {
    this.#binary = ['binData', 'binaryData'].map((element) => new BinaryData(element, budget));
    this.#ocr = ocr;
  }

  take(xml: XmlTokens): void {
    if (xml.token === 'open') this.#open(xml);
    const isKept = this.#isObject || this.#ocr;
    if (this.#binary.some((binary) => binary.take(xml, isKept))) return;
    this.#attributes.take(xml);
    this.#text.take(xml);
    if (xml.token === 'close') this.#close(xml.depth);
  }

  get ready(): boolean {
    return this.#text.flow.full || this.#attributes.flow.full || this.#binary.some(({ ready }) => ready);
  }

  *items(): Generator<DocumentItem> {
    for (const { flow } of [this.#text, this.#attributes]) if (flow.full) yield* flow.take();
    for (const binary of this.#binary) yield* binary.items();
  }

  *end(): Generator<DocumentItem> {
    yield* this.#main.flow.end();
    for (const { flow } of this.#nestedFlows.values()) yield* flow.end();
    for (const { flow } of [...this.#apart, this.#attributes]) yield* flow.end();
    for (const binary of this.#binary) yield* binary.items();
    for (const binary of this.#binary) binary.finish();
    if (this.#isWorkbook) throw new Unsupported('workbook in one file');
  }

  get #text(): PartText {
    return this.#apartDepth > 0 ? this.#apart.at(-1)! : this.#runs;
  }

  get #runs(): RunText {
    return this.#within.at(-1)?.text ?? this.#main;
  }

  #open(xml: XmlTokens): void {
    const { name, depth } = xml;
    if (name === 'docOleData' || name === 'pict') this.#isObject = name === 'docOleData';
    else if (name === 'part') this.#beginPart(xml.attribute('name') ?? '', depth);
    if (PROPERTIES.has(name)) this.#setApart(new PropertyText(depth + 1), depth);
    if (name === 'Relationship' && xml.attribute('TargetMode') === 'External')
      this.#emitLink(xml.attribute('Target') ?? '');
    const isComment = name === 'annotation' && xml.attribute('type') === 'Word.Comment';
    const location = isComment ? 'comments' : PLACES.get(name);
    if (location === undefined) return;
    this.#within.push({ text: this.#nestedFlow(location), depth });
    const author = isComment ? xml.attribute('author') : null;
    if (author !== null && author !== '') this.#runs.flow.write(`${author}: `);
  }

  #beginPart(name: string, depth: number): void {
    this.#isObject = DOCUMENT.test(name);
    this.#isWorkbook ||= name.startsWith('/xl/');
    if (DATA.test(name)) this.#setApart(new DataText(), depth);
  }

  #setApart(text: PartText, depth: number): void {
    if (this.#apartDepth > 0) return;
    this.#apartDepth = depth;
    this.#apart.push(text);
  }

  #emitLink(target: string): void {
    const { flow } = this.#nestedFlow('links');
    flow.write(target);
    flow.endLine();
  }

  #close(depth: number): void {
    if (depth < this.#apartDepth) this.#apartDepth = 0;
    const nested = this.#within.at(-1);
    if (nested === undefined || depth >= nested.depth) return;
    nested.text.flow.breakLine();
    this.#within.pop();
  }

  #nestedFlow(location: string): RunText {
    const text = this.#nestedFlows.get(location) ?? new RunText(new TextFlow(location));
    this.#nestedFlows.set(location, text);
    return text;
  }
}

/** Custom XML that a document displays: each text is a line, named after its element. */
class DataText implements PartText {
  readonly flow = new TextFlow('data');
  #name = '';
  #value = '';

  take(xml: XmlTokens): void {
    if (xml.token === 'text') {
      this.#value = longer(this.#value, xml.text);
      return;
    }
    const value = this.#value.trim();
    this.#value = '';
    if (value !== '') this.flow.writeLine(`${this.#name}: ${value}`);
    this.#name = xml.name;
  }
}
