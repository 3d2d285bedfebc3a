/**
 * EPUB 2 and 3.
 *
 * Format: W3C EPUB 3.3, Open Container Format and package document; encryption.xml as in its section 4.2.6.3.
 *
 * No library: a book is a zip of XHTML, and both are read by code that other formats need anyway.
 */
import { openZip, type ZipDirectory, type ZipMember } from '../../archives/zip/zip-directory.ts';
import type { ExtractionBudget } from '../../budget/extraction-budget.ts';
import type { DocumentItem, RandomAccess, ReadingOptions } from '../../document-item.ts';
import { CorruptInput, Encrypted, LimitExceeded } from '../../extraction-error.ts';
import { xmlTokens } from '../xml/xml-tokens.ts';
import { embeddedEntries } from './package/embedded.ts';
import { folderOf, resolvePart } from './package/part-name.ts';
import { eachTag, Parts, textOf } from './package/parts.ts';
import { PropertyText } from './package/properties.ts';
import { HTML, HtmlText } from './text/html-text.ts';
import { TextFlow } from './text/text-flow.ts';

const MAX_ITEMS = 100_000;
/** Font obfuscation, which does not affect the text. */
const FOR_FONTS = ['http://www.idpf.org/2008/embedding', 'http://ns.adobe.com/pdf/enc#RC'];

/** Electronic books: chapter by chapter as they are read, then what is only there. */
export async function* readEpub(
  input: RandomAccess,
  budget: ExtractionBudget,
  options: ReadingOptions,
): AsyncGenerator<DocumentItem> {
  const zip = await openZip(input, budget);
  const parts = new Parts(zip);
  const book = await bookPart(zip);
  const closed = await parts.optional(encryptedParts(zip), new Set<string>());
  const chapters = await chaptersOf(book, parts);
  let number = 0;
  for (const name of chapters) {
    number++;
    if (closed.has(name.toLowerCase())) parts.record(new Encrypted());
    else
      yield* parts.read(name, (part) => textOf(part, new HtmlText(new TextFlow(`chapter ${number}`)), HTML));
  }
  yield* parts.read(book.name, (part) => textOf(part, new PropertyText(3)));
  yield* embeddedEntries(zip.members, budget, options);
  parts.throwFirst();
}

/** The package document, which lists the book's parts. */
async function bookPart(zip: ZipDirectory): Promise<ZipMember> {
  const container = zip.find('META-INF/container.xml');
  let path: string | null = null;
  if (container !== null)
    await eachTag(container, 'rootfile', (tag) => {
      path ??= tag.attribute('full-path');
    });
  const book = path === null ? null : zip.find(resolvePart('', path));
  const found = book ?? zip.members.find(({ name }) => name.toLowerCase().endsWith('.opf')) ?? null;
  if (found === null) throw new CorruptInput('missing part');
  return found;
}

/** In the order of reading; then pages that no order has, but for the table of contents. */
async function chaptersOf(book: ZipMember, parts: Parts): Promise<ReadonlySet<string>> {
  const pages = new Map<string, string>();
  const rest: string[] = [];
  const order: string[] = [];
  const folder = folderOf(book.name);
  try {
    for await (const xml of xmlTokens(book.bytes()))
      while (xml.next()) {
        if (xml.token !== 'open') continue;
        if (pages.size + order.length > MAX_ITEMS) throw new LimitExceeded('chapters');
        if (xml.name === 'itemref') order.push(xml.attribute('idref') ?? '');
        if (xml.name !== 'item') continue;
        const page = resolvePart(folder, xml.attribute('href') ?? '');
        pages.set(xml.attribute('id') ?? '', page);
        const isText = /html|oeb1/.test(xml.attribute('media-type') ?? '');
        if (isText && !/\bnav\b/.test(xml.attribute('properties') ?? '')) rest.push(page);
      }
  } catch (error) {
    parts.record(error);
  }
  const chapters = order.map((id) => pages.get(id));
  if (chapters.includes(undefined)) parts.record(new CorruptInput('missing part'));
  return new Set([...chapters.filter((page) => page !== undefined), ...rest]);
}

/** Names of the parts that can't be read, in lower case. */
async function encryptedParts(zip: ZipDirectory): Promise<Set<string>> {
  const closed = new Set<string>();
  const member = zip.find('META-INF/encryption.xml');
  if (member === null) return closed;
  let method: string | null = null;
  for await (const xml of xmlTokens(member.bytes()))
    while (xml.next()) {
      if (xml.token !== 'open') continue;
      if (xml.name === 'EncryptedData') method = null;
      else if (xml.name === 'EncryptionMethod') method ??= xml.attribute('Algorithm');
      else if (xml.name === 'CipherReference' && !FOR_FONTS.includes(method ?? ''))
        closed.add(resolvePart('', xml.attribute('URI') ?? '').toLowerCase());
    }
  return closed;
}
