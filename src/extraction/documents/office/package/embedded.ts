import type { ZipMember } from '../../../archives/zip/zip-directory.ts';
import type { ExtractionBudget } from '../../../budget/extraction-budget.ts';
import type { EmbeddedEntry, ReadingOptions } from '../../../document-item.ts';
import { Decompressor } from '../../../formats/compression/decompressor.ts';
import { drawsText } from '../../pictures/metafile/metafile.ts';

/** In Office: embedded objects, and custom XML shown in the text; in OpenDocument: objects of other programs, macros. */
const DOCUMENT =
  /(^|\/)embeddings\/[^/]+$|^customXml\/item\d*\.xml$|^Object \d+$|^(Basic|Scripts)\/(?!.*script-l[bc]\.xml$).+[^/]$/i;
const PICTURE = /\.(png|jpe?g|jpe|jfif|gif|bmp|tiff?|webp)$/i;
const METAFILE = /\.(emf|wmf|emz|wmz)$/i;
const THUMBNAIL = /(^|\/)thumbnails?[/.]/i;

/** Documents within a document, pictures that draw text, and the others where they are read. */
export async function* embeddedEntries(
  members: readonly ZipMember[],
  budget: ExtractionBudget,
  { ocr }: ReadingOptions,
): AsyncGenerator<EmbeddedEntry> {
  for (const member of members) {
    const isPicture = ocr && PICTURE.test(member.name) && !THUMBNAIL.test(member.name);
    if (isPicture || DOCUMENT.test(member.name) || (await isDrawnText(member, budget)))
      yield entryOf(member, budget);
  }
}

/** Only those that draw text: a document is not called partly read for its logo. */
async function isDrawnText(member: ZipMember, budget: ExtractionBudget): Promise<boolean> {
  if (!METAFILE.test(member.name) || THUMBNAIL.test(member.name)) return false;
  const bytes = member.bytes();
  const isPacked = /z$/i.test(member.name);
  return drawsText(isPacked ? new Decompressor('gzip', bytes[Symbol.asyncIterator](), budget) : bytes);
}

export function entryOf(member: ZipMember, budget: ExtractionBudget): EmbeddedEntry {
  budget.countEntry();
  return { is: 'entry', name: member.name, bytes: member.bytes() };
}
