import type { PDFPageProxy } from 'unpdf/pdfjs';
import { PageLines, type TextItem } from './lines.ts';
import type { Losses } from './losses.ts';
import { xfaTexts } from './xfa.ts';

/** Drawings may draw each other: a page of a few bytes would have no end. */
const MOST_DRAWN = 1_000_000;
/** What a drawing costs, in characters: it is parsed again each time. */
const DRAWING = 50;

interface Chunk {
  readonly items: readonly (TextItem & { readonly fontName: string })[];
  readonly styles: Readonly<Record<string, { readonly vertical: boolean }>>;
}

/** The text of a page, as far as it can be read. `size`: of the document. */
export async function pageLines(page: PDFPageProxy, size: number, losses: Losses): Promise<PageLines> {
  const lines = new PageLines();
  const form = await page.getXfa();
  if (form !== null) for (const text of xfaTexts(form)) lines.addAlone(text);
  else if (!(await addTexts(lines, page.streamTextContent(), Math.max(MOST_DRAWN, size))))
    losses.cut('text of a page');
  return lines;
}

/** False: there is more. */
async function addTexts(lines: PageLines, chunks: ReadableStream<Chunk>, most: number): Promise<boolean> {
  const reader = chunks.getReader();
  const downward = new Set<string>();
  let drawn = 0;
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    const { items, styles } = next.value;
    for (const [font, { vertical }] of Object.entries(styles)) if (vertical) downward.add(font);
    for (const item of items) {
      // Written downward, it has no line in common with others.
      if (downward.has(item.fontName) && item.str.trim() !== '') lines.addAlone(item.str);
      else lines.add(item);
      drawn += item.str.length;
    }
    drawn += DRAWING;
    if (drawn <= most) continue;
    await reader.cancel(new Error('it is enough'));
    return false;
  }
  return true;
}
