/**
 * OpenDocument packages (.odt, .ods, .odp, .odg).
 *
 * Format: OASIS OpenDocument 1.3, Part 2 (packages) and Part 3 (schema).
 *
 * No library: officeparser, which reads them, holds the whole document in memory; see powerpoint.ts.
 */
import { openZip, type ZipDirectory, type ZipMember } from '../../../archives/zip/zip-directory.ts';
import type { ExtractionBudget } from '../../../budget/extraction-budget.ts';
import type { DocumentItem, RandomAccess, ReadingOptions } from '../../../document-item.ts';
import { CorruptInput, Encrypted } from '../../../extraction-error.ts';
import type { Meter } from '../../sheets/sheet-rows.ts';
import { xmlTokens } from '../../xml/xml-tokens.ts';
import { embeddedEntries } from '../package/embedded.ts';
import { Parts, textOf } from '../package/parts.ts';
import { PropertyText } from '../package/properties.ts';
import { OpenContent } from './open-content.ts';

const CONTENT = 'content.xml';
const STYLES = 'styles.xml';

/** Texts, sheets, presentations and drawings of LibreOffice and related programs. */
export async function* readOpenDocument(
  input: RandomAccess,
  budget: ExtractionBudget,
  options: ReadingOptions,
): AsyncGenerator<DocumentItem> {
  const zip = await openZip(input, budget);
  const listed = await readManifest(zip);
  // A template may consist of styles only, with the headers of its pages.
  const has = (name: string) => zip.find(name) !== null;
  if (!has(CONTENT) && (listed || !has(STYLES))) throw new CorruptInput('missing part');
  const parts = new Parts(zip);
  const meter: Meter = { budget, size: input.size, out: 0 };
  if (has(CONTENT)) yield* parts.read(CONTENT, (part) => contentOf(part, null, meter));
  for (const { name } of zip.members.filter(({ name }) => name.endsWith(`/${CONTENT}`)))
    yield* parts.read(name, (part) => contentOf(part, name.slice(0, -CONTENT.length - 1), meter));
  if (has(STYLES)) yield* parts.read(STYLES, (part) => contentOf(part, 'header', meter));
  if (has('meta.xml')) yield* parts.read('meta.xml', (part) => textOf(part, new PropertyText(3)));
  yield* embeddedEntries(zip.members, budget, options);
  parts.throwFirst();
}

/** Returns whether it lists content.xml. One encrypted part makes the whole document unreadable: no program encrypts only the pictures. */
async function readManifest(zip: ZipDirectory): Promise<boolean> {
  const manifest = zip.find('META-INF/manifest.xml');
  let listed = false;
  if (manifest === null) return listed;
  for await (const xml of xmlTokens(manifest.bytes()))
    while (xml.next()) {
      if (xml.token !== 'open') continue;
      if (xml.name === 'encryption-data') throw new Encrypted();
      if (xml.name === 'file-entry' && xml.attribute('full-path') === CONTENT) listed = true;
    }
  return listed;
}

async function* contentOf(part: ZipMember, base: string | null, meter: Meter): AsyncGenerator<DocumentItem> {
  const content = new OpenContent(base, meter);
  try {
    for await (const xml of xmlTokens(part.bytes()))
      while (xml.next()) {
        content.take(xml);
        if (content.ready) yield* content.items();
      }
  } catch (error) {
    yield* content.end();
    throw error;
  }
  yield* content.end();
}
