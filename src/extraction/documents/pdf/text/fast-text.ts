/**
 * Fast path for the text of a page, several times as fast as the library. Unsupported cases are left to the library: vertical text,
 * unusual fonts, and anything broken. Such a page is read again by the library.
 *
 * Format: ISO 32000-1:2008, section 9 (text) and 14.9.4 (replacement text).
 */
import type { Evaluator, Library, LibraryInternals, TextRequest } from '../pdfjs/library-internals.ts';
import { installActualText, isDictionary, rememberResources } from './actual-text.ts';
import { ABOUT_TEXT, Content, type Drawing, decompressed, newCircle } from './content.ts';
import { PageLines, type PageText } from './lines.ts';
import type { TextItem } from './text-item.ts';
import type { ItemSink } from './text-items.ts';
import { TextState } from './text-state.ts';

/** Drawings may draw each other: a page of a few bytes would have no end. */
const MAX_DRAWN = 1_000_000;
/** What a drawing costs, in characters: it is parsed again each time. */
export const DRAWING_COST = 50;
const PLAIN = /^[ -~]*$/;

/** Limits the characters drawn on a page. `size`: of the document. */
export function maxDrawnCharacters(size: number): number {
  return Math.max(MAX_DRAWN, size);
}

/** From now on. */
export function installFastText(library: Library, insides: LibraryInternals): void {
  const { OperationReader, Stream } = insides;
  const { prototype } = insides.Evaluator;
  const original = prototype.getTextContent;
  const operators = operatorNames(library);
  installActualText(library, insides);
  prototype.getTextContent = async function getTextContent(this: Evaluator, textRequest: TextRequest) {
    // The text under links and marks was already read with the page, and would otherwise be read again for each of them.
    if (textRequest.intersector) return;
    const request = { ...textRequest, stream: await decompressed(textRequest.stream, Stream) };
    if (!isPage(request)) {
      rememberResources(request.stream, request.resources);
      return await original.call(this, request);
    }
    const sink = new LineSink(library, insides, maxDrawnCharacters(this.xref.stream.length));
    const { task, viewBox } = request;
    const within = newCircle();
    const drawing = { evaluator: this, task, viewBox, OperationReader, Stream, operators, within, sink };
    if (!(await isRead(drawing, request))) {
      request.stream.reset();
      rememberResources(request.stream, request.resources);
      return await original.call(this, { ...request, includeMarkedContent: true });
    }
    const text: PageText = sink.text();
    request.sink.enqueue({ items: [], styles: {}, text }, 1);
  };
}

function operatorNames({ OPS }: Library): string[] {
  const names: string[] = [];
  for (const [name, number] of Object.entries(OPS)) if (ABOUT_TEXT.has(name)) names[number] = name;
  return names;
}

type PageRequest = TextRequest & Required<Pick<TextRequest, 'resources' | 'sink'>>;

/** Other texts are those of annotations. */
function isPage(request: TextRequest): request is PageRequest {
  const { sink, resources, includeMarkedContent, keepWhiteSpace, stateManager, prevRefs } = request;
  const special = includeMarkedContent || keepWhiteSpace || stateManager || prevRefs;
  return !special && sink !== undefined && isDictionary(resources);
}

/** Returns false if the library must read the page. Errors are ignored here, because the library will report them in its own words. */
async function isRead(
  drawing: Drawing & { readonly sink: LineSink },
  request: PageRequest,
): Promise<boolean> {
  try {
    await new Content(drawing, request.resources, new TextState()).read(request.stream);
    return true;
  } catch {
    return drawing.sink.cut;
  }
}

/** Makes lines of the items. */
class LineSink implements ItemSink {
  readonly #lines = new PageLines();
  readonly #library: Library;
  readonly #insides: LibraryInternals;
  readonly max: number;
  #drawn = 0;
  items = 0;
  cut = false;

  constructor(library: Library, insides: LibraryInternals, most: number) {
    this.#library = library;
    this.#insides = insides;
    this.max = most;
  }

  item(item: TextItem): void {
    this.items++;
    this.#lines.add(item);
    this.#count(item.str.length);
  }

  mark(meant: string | null): void {
    this.#lines.mark(meant);
    if (meant !== null) this.#count(meant.length);
  }

  unmark(): void {
    this.#lines.unmark();
  }

  form(): void {
    this.#count(DRAWING_COST);
  }

  finish(text: string): { str: string; dir: string } {
    if (PLAIN.test(text)) return { str: text, dir: 'ltr' };
    return this.#insides.bidi(this.#library.normalizeUnicode(text), -1, false);
  }

  text(): PageText {
    return this.#lines.text(this.cut);
  }

  #count(drawn: number): void {
    this.#drawn += drawn;
    if (this.#drawn <= this.max) return;
    this.cut = true;
    throw new Error('it is enough');
  }
}
