import type { PDFDocumentProxy, PDFPageProxy } from 'unpdf/pdfjs';
import type { Budget } from '../../budget.ts';
import { Damage, Obstacle } from '../../obstacle.ts';
import type { Entry, Piece, RandomAccess, ReadingOptions, TextPiece } from '../../piece.ts';
import { propertyLine } from '../property.ts';
import { fieldValue, notesOf, type PageFile } from './annotations.ts';
import { InputFailure, openPdf, type PdfDocument } from './document.ts';
import { Losses } from './losses.ts';
import { pageText } from './page.ts';
import { outlineLines, propertyLines, scriptsOf } from './properties.ts';
import { LEAST_PIXELS, MOST_PIXELS, noteScan, SCANNED_BELOW, scannedTexts } from './scans.ts';

const BLOCK = 48 * 1024;
/** Of an attachment, given at a time: what becomes of it must not be as long as the whole. */
const CHUNK = 64 * 1024;

/** Properties first, which are cheap, then page by page, then what is in no page. A broken page hides no other. */
export async function* readPdf(
  input: RandomAccess,
  budget: Budget,
  options: ReadingOptions,
): AsyncGenerator<Piece> {
  const losses = new Losses(budget);
  try {
    const pdf = await openPdf(input, losses, options.ocr ? MOST_PIXELS : LEAST_PIXELS);
    try {
      yield* new PdfReader(pdf, losses, budget, options).pieces();
    } finally {
      await pdf.close();
    }
  } finally {
    losses.end();
  }
  losses.throwFirst();
}

class PdfReader {
  readonly #pdf: PdfDocument;
  readonly #document: PDFDocumentProxy;
  readonly #losses: Losses;
  readonly #budget: Budget;
  readonly #ocr: boolean;
  /** Fields that were told with the page they are on. */
  readonly #fields = new Set<string>();
  /** Page objects that were read: a tree of pages may name one of them any number of times. */
  readonly #pages = new Set<string>();

  constructor(pdf: PdfDocument, losses: Losses, budget: Budget, options: ReadingOptions) {
    this.#pdf = pdf;
    this.#document = pdf.document;
    this.#losses = losses;
    this.#budget = budget;
    this.#ocr = options.ocr;
  }

  async *pieces(): AsyncGenerator<Piece> {
    const { numPages } = this.#document;
    yield* this.#attempt('PDF properties', this.#properties());
    for (let page = 1; page <= numPages; page++) {
      this.#budget.page();
      yield* this.#attempt('PDF page', this.#page(page));
    }
    yield* this.#attempt('PDF form', this.#otherFields());
    yield* this.#attempt('PDF outline', this.#outline());
    yield* this.#attempt('PDF scripts', this.#scripts());
    yield* this.#attempt('PDF attachment', this.#attachments());
  }

  /** Whatever fails, the rest is still read; only limits that concern all of it end it, and the input itself. */
  async *#attempt(what: string, pieces: AsyncIterator<Piece>): AsyncGenerator<Piece> {
    try {
      for (;;) {
        const next = await this.#pdf.unlessFailed(pieces.next());
        if (next.done === true) break;
        yield next.value;
      }
    } catch (error) {
      if (error instanceof InputFailure) rethrowCause(error);
      this.#losses.note(error instanceof Obstacle ? error : new Damage(what));
    }
    this.#losses.settle();
  }

  async *#properties(): AsyncGenerator<Piece> {
    yield* texts('properties', await propertyLines(this.#document));
  }

  async *#page(number: number): AsyncGenerator<Piece> {
    const page = await this.#document.getPage(number);
    if (this.#isRepeated(page)) return;
    const place = `page ${number}`;
    const { lines, characters } = await pageText(page, this.#pdf.size, this.#losses);
    yield* texts(place, lines);
    const { lines: notes, fields, files } = notesOf(await page.getAnnotations({ intent: 'any' }));
    for (const field of fields) this.#fields.add(field);
    yield* texts(place, notes);
    if (characters < SCANNED_BELOW) yield* this.#scan(page, place);
    for (const file of files) {
      this.#budget.entry();
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

  async *#scan(page: PDFPageProxy, place: string): AsyncGenerator<Piece> {
    if (!this.#ocr) return await noteScan(page, this.#losses);
    for await (const text of scannedTexts(page, this.#losses, this.#budget)) {
      yield* texts(`${place} (OCR)`, [text]);
    }
  }

  /** Fields may be on no page, or on one that could not be read. */
  async *#otherFields(): AsyncGenerator<Piece> {
    const fields = (await this.#document.getFieldObjects()) ?? {};
    for (const [name, objects] of Object.entries(fields)) {
      if (this.#fields.has(name)) continue;
      const values = new Set(objects.map(({ value }: { value?: unknown }) => fieldValue(value)));
      for (const value of values) yield* texts('form', propertyLine(name, value));
    }
  }

  async *#outline(): AsyncGenerator<Piece> {
    yield* texts('outline', await outlineLines(this.#document));
  }

  async *#scripts(): AsyncGenerator<Piece> {
    yield* texts('scripts', await scriptsOf(this.#document));
  }

  async *#attachments(): AsyncGenerator<Piece> {
    const files = (await this.#document.getAttachments()) ?? new Map();
    for (const [id, { filename }] of files) {
      this.#budget.entry();
      yield this.#entry({ id, name: filename });
    }
  }

  #entry({ id, name }: PageFile): Entry {
    return { is: 'entry', name, bytes: this.#content(id) };
  }

  async *#content(id: string): AsyncGenerator<Uint8Array> {
    const content = this.#document.getAttachmentContent(id).catch(() => null);
    const bytes = await this.#pdf.unlessFailed(content).catch(rethrowCause);
    if (bytes === null) throw new Damage('PDF attachment');
    this.#budget.unpacked(bytes.length);
    for (let from = 0; from < bytes.length; from += CHUNK) yield bytes.subarray(from, from + CHUNK);
  }
}

function rethrowCause({ cause }: InputFailure): never {
  throw cause;
}

function* texts(place: string, lines: Iterable<string>): Generator<TextPiece> {
  let block = '';
  for (const line of lines) {
    block += `${line}\n`;
    if (block.length < BLOCK) continue;
    yield { is: 'text', place, text: Buffer.from(block) };
    block = '';
  }
  if (block !== '') yield { is: 'text', place, text: Buffer.from(block) };
}
