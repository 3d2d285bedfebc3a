/**
 * PDF, by a library: PDF.js in the build of unpdf. Text of ordinary pages is put together here (text/fast-text.ts), because the
 * library is four times as slow.
 *
 * Format: ISO 32000-1:2008.
 */
import type { PDFDocumentProxy, PDFPageProxy } from 'unpdf/pdfjs';
import type { ExtractionBudget } from '../../budget/extraction-budget.ts';
import type {
  DocumentItem,
  EmbeddedEntry,
  RandomAccess,
  ReadingOptions,
  TextChunk,
} from '../../document-item.ts';
import { CorruptInput, ExtractionError } from '../../extraction-error.ts';
import { propertyLine } from '../property.ts';
import { fieldValue, notesOf, type PageFile } from './annotations.ts';
import { InputFailure, openPdf, type PdfDocument } from './document.ts';
import { pageText } from './page.ts';
import { PdfWarnings } from './pdf-warnings.ts';
import { outlineLines, propertyLines, scriptsOf } from './properties.ts';
import {
  MAX_PIXELS,
  MIN_PIXELS,
  recordScan,
  SCANNED_BELOW_CHARACTERS,
  scannedTexts,
} from './scanned-page.ts';

const BLOCK = 48 * 1024;
/** Chunk size of attachments, so that processing them takes bounded memory. */
const CHUNK = 64 * 1024;

/** Properties first, which are cheap, then page by page, then what is in no page. A broken page hides no other. */
export async function* readPdf(
  input: RandomAccess,
  budget: ExtractionBudget,
  options: ReadingOptions,
): AsyncGenerator<DocumentItem> {
  const warnings = new PdfWarnings(budget);
  try {
    const pdf = await openPdf(input, warnings, options.ocr ? MAX_PIXELS : MIN_PIXELS);
    try {
      yield* new PdfReader(pdf, warnings, budget, options).items();
    } finally {
      await pdf.close();
    }
  } finally {
    warnings.end();
  }
  warnings.throwFirst();
}

class PdfReader {
  readonly #pdf: PdfDocument;
  readonly #document: PDFDocumentProxy;
  readonly #warnings: PdfWarnings;
  readonly #budget: ExtractionBudget;
  readonly #ocr: boolean;
  /** Fields that were already yielded with their page. */
  readonly #fields = new Set<string>();
  /** Page objects that were read: a tree of pages may name one of them any number of times. */
  readonly #pages = new Set<string>();

  constructor(pdf: PdfDocument, warnings: PdfWarnings, budget: ExtractionBudget, options: ReadingOptions) {
    this.#pdf = pdf;
    this.#document = pdf.document;
    this.#warnings = warnings;
    this.#budget = budget;
    this.#ocr = options.ocr;
  }

  async *items(): AsyncGenerator<DocumentItem> {
    const { numPages } = this.#document;
    yield* this.#attempt('PDF properties', this.#properties());
    for (let page = 1; page <= numPages; page++) {
      this.#budget.countPage();
      yield* this.#attempt('PDF page', this.#page(page));
    }
    yield* this.#attempt('PDF form', this.#otherFields());
    yield* this.#attempt('PDF outline', this.#outline());
    yield* this.#attempt('PDF scripts', this.#scripts());
    yield* this.#attempt('PDF attachment', this.#attachments());
  }

  /** Errors of one part don't prevent reading the others, except limits of the whole object and input errors. */
  async *#attempt(what: string, items: AsyncIterator<DocumentItem>): AsyncGenerator<DocumentItem> {
    try {
      for (;;) {
        const next = await this.#pdf.unlessFailed(items.next());
        if (next.done === true) break;
        yield next.value;
      }
    } catch (error) {
      if (error instanceof InputFailure) rethrowCause(error);
      this.#warnings.record(error instanceof ExtractionError ? error : new CorruptInput(what));
    }
    this.#warnings.settle();
  }

  async *#properties(): AsyncGenerator<DocumentItem> {
    yield* texts('properties', await propertyLines(this.#document));
  }

  async *#page(number: number): AsyncGenerator<DocumentItem> {
    const page = await this.#document.getPage(number);
    if (this.#isRepeated(page)) return;
    const location = `page ${number}`;
    const { lines, characters } = await pageText(page, this.#pdf.size, this.#warnings);
    yield* texts(location, lines);
    const { lines: notes, fields, files } = notesOf(await page.getAnnotations({ intent: 'any' }));
    for (const field of fields) this.#fields.add(field);
    yield* texts(location, notes);
    if (characters < SCANNED_BELOW_CHARACTERS) yield* this.#scan(page, location);
    for (const file of files) {
      this.#budget.countEntry();
      yield this.#entry(file);
    }
    page.cleanup();
  }

  #isRepeated({ ref }: PDFPageProxy): boolean {
    if (ref === null) return false;
    const id = `${ref.num} ${ref.gen}`;
    const known = this.#pages.has(id);
    this.#pages.add(id);
    return known;
  }

  async *#scan(page: PDFPageProxy, location: string): AsyncGenerator<DocumentItem> {
    if (!this.#ocr) return await recordScan(page, this.#warnings);
    for await (const text of scannedTexts(page, this.#warnings, this.#budget)) {
      yield* texts(`${location} (OCR)`, [text]);
    }
  }

  /** Fields may be on no page, or on one that could not be read. */
  async *#otherFields(): AsyncGenerator<DocumentItem> {
    const fields = (await this.#document.getFieldObjects()) ?? {};
    for (const [name, objects] of Object.entries(fields)) {
      if (this.#fields.has(name)) continue;
      const values = new Set(objects.map(({ value }: { value?: unknown }) => fieldValue(value)));
      for (const value of values) yield* texts('form', propertyLine(name, value));
    }
  }

  async *#outline(): AsyncGenerator<DocumentItem> {
    yield* texts('outline', await outlineLines(this.#document));
  }

  async *#scripts(): AsyncGenerator<DocumentItem> {
    yield* texts('scripts', await scriptsOf(this.#document));
  }

  async *#attachments(): AsyncGenerator<DocumentItem> {
    const files = (await this.#document.getAttachments()) ?? new Map();
    for (const [id, { filename }] of files) {
      this.#budget.countEntry();
      yield this.#entry({ id, name: filename });
    }
  }

  #entry({ id, name }: PageFile): EmbeddedEntry {
    return { is: 'entry', name, bytes: this.#content(id) };
  }

  async *#content(id: string): AsyncGenerator<Uint8Array> {
    const content = this.#document.getAttachmentContent(id).catch(() => null);
    const bytes = await this.#pdf.unlessFailed(content).catch(rethrowCause);
    if (bytes === null) throw new CorruptInput('PDF attachment');
    this.#budget.countDecompressed(bytes.length);
    for (let from = 0; from < bytes.length; from += CHUNK) yield bytes.subarray(from, from + CHUNK);
  }
}

function rethrowCause({ cause }: InputFailure): never {
  throw cause;
}

function* texts(location: string, lines: Iterable<string>): Generator<TextChunk> {
  let block = '';
  for (const line of lines) {
    block += `${line}\n`;
    if (block.length < BLOCK) continue;
    yield { is: 'text', location, text: Buffer.from(block) };
    block = '';
  }
  if (block !== '') yield { is: 'text', location, text: Buffer.from(block) };
}
