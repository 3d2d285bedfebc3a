/** The properties of a document, and its contents besides pages. */
import type { PDFDocumentProxy } from 'unpdf/pdfjs';
import { propertyLine } from '../property.ts';

const NAMES = ['Title', 'Author', 'Subject', 'Keywords', 'Creator', 'Producer', 'CreationDate', 'ModDate'];

/** "name: value", without duplicates: the same is often stored twice. */
export async function propertyLines(document: PDFDocumentProxy): Promise<Set<string>> {
  const { info, metadata } = await document.getMetadata();
  const lines = new Set<string>();
  const entries: ReadonlyMap<string, unknown> = new Map(Object.entries(info));
  for (const name of NAMES) addLine(lines, name, entries.get(name));
  for (const [name, value] of Object.entries(entries.get('Custom') ?? {})) addLine(lines, name, value);
  const known = new Set([...lines].map((line) => line.slice(line.indexOf(': ') + 2)));
  for (const [name, value] of metadata ?? []) {
    if (typeof value !== 'string' || !known.has(value)) addLine(lines, name, value);
  }
  return lines;
}

function addLine(lines: Set<string>, name: string, value: unknown): void {
  const text = Array.isArray(value) ? value.join(', ') : value;
  if (typeof text !== 'string') return;
  for (const line of propertyLine(name, text)) lines.add(line);
}

interface OutlineItem {
  readonly title: string;
  readonly url: string | null;
  readonly items: readonly OutlineItem[];
}

/** Titles of bookmarks, in order. */
export async function outlineLines(document: PDFDocumentProxy): Promise<Iterable<string>> {
  return titlesOf((await document.getOutline()) ?? []);
}

function* titlesOf(roots: readonly OutlineItem[]): Generator<string> {
  const rest = roots.toReversed();
  for (let item = rest.pop(); item !== undefined; item = rest.pop()) {
    if (item.title !== '') yield item.title;
    if (item.url !== null) yield item.url;
    // Not all at once as arguments: there may be too many for a call.
    for (const child of item.items.toReversed()) rest.push(child);
  }
}

/** Scripts are text like any other, and are never run. */
export async function scriptsOf(document: PDFDocumentProxy): Promise<string[]> {
  const actions: object | null = await document.getJSActions();
  return Object.values(actions ?? {})
    .flat()
    .filter((script) => typeof script === 'string');
}
