import type { PDFPageProxy } from 'unpdf/pdfjs';
import { Unsupported } from '../../extraction-error.ts';
import type { PdfWarnings } from './pdf-warnings.ts';
import { decodeActualText } from './text/actual-text.ts';
import { DRAWING_COST, maxDrawnCharacters } from './text/fast-text.ts';
import { PageLines, type PageText } from './text/lines.ts';
import type { TextItem } from './text/text-item.ts';

/** Of the characters of a page. Some signs and bullets are unknown on many; beyond that its text is none. */
const MAX_UNKNOWN = 0.25;

interface Chunk {
  readonly items: readonly LibraryItem[];
  readonly styles: Readonly<Record<string, { readonly vertical: boolean }>>;
  /** All of it, where the library did not read it itself. */
  readonly text?: PageText;
}

/** A text, or where a part of the page begins or ends. */
export type LibraryItem = (TextItem & { readonly fontName: string }) | Mark;

interface Mark {
  readonly type: string;
  readonly tag?: string | null;
}

/** The text of a page, as far as it can be read. `size`: of the document. */
export async function pageText(page: PDFPageProxy, size: number, warnings: PdfWarnings): Promise<PageText> {
  const form = await page.getXfa();
  const text =
    form === null ? await drawnText(page.streamTextContent(), maxDrawnCharacters(size)) : formText(form);
  if (text.cut) warnings.cut('text of a page');
  if (text.unknown > text.characters * MAX_UNKNOWN)
    warnings.record(new Unsupported('PDF text without Unicode'));
  return text;
}

function formText(form: object): PageText {
  const lines = new PageLines();
  for (const text of xfaTexts(form)) lines.addAlone(text);
  return lines.text(false);
}

async function drawnText(chunks: ReadableStream<Chunk>, max: number): Promise<PageText> {
  const reader = chunks.getReader();
  const lines = new PageLines();
  const downward = new Set<string>();
  let drawn = 0;
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    const { items, styles, text } = next.value;
    if (text !== undefined) return text;
    for (const [font, { vertical }] of Object.entries(styles)) if (vertical) downward.add(font);
    for (const item of items) {
      drawn += addItem(lines, item, downward);
    }
    drawn += DRAWING_COST;
    if (drawn <= max) continue;
    await reader.cancel(new Error('it is enough'));
    return lines.text(true);
  }
  return lines.text(false);
}

/** Returns its cost in characters. `downward`: vertical fonts. */
export function addItem(lines: PageLines, item: LibraryItem, downward: ReadonlySet<string>): number {
  if ('type' in item) return addMark(lines, item);
  // Written downward, it has no line in common with others.
  if (downward.has(item.fontName) && item.str.trim() !== '') lines.addAlone(item.str);
  else lines.add(item);
  return item.str.length;
}

function addMark(lines: PageLines, { type, tag }: Mark): number {
  const meant = decodeActualText(tag);
  if (type === 'endMarkedContent') lines.unmark();
  else lines.mark(meant);
  return meant?.length ?? 0;
}

/** A form of XFA as the library lays it out, in the manner of HTML. */
interface XfaNode {
  readonly name: string;
  readonly value?: unknown;
  readonly attributes?: Readonly<Record<string, unknown>>;
  readonly children?: readonly (XfaNode | null | undefined)[];
}

/** All texts in their order, values of fields among them. */
function* xfaTexts(form: object): Generator<string> {
  const rest: (XfaNode | null | undefined)[] = [form as XfaNode];
  while (rest.length > 0) {
    const node = rest.pop();
    if (node === null || node === undefined) continue;
    for (const text of [node.value, node.attributes?.textContent, fieldText(node)]) {
      if (typeof text === 'string' && text.trim() !== '') yield text;
    }
    for (const child of node.children?.toReversed() ?? []) rest.push(child);
  }
}

/** Of buttons and boxes the value is a name. */
function fieldText({ name, attributes }: XfaNode): unknown {
  return name === 'input' && attributes?.type === 'text' ? attributes.value : undefined;
}
