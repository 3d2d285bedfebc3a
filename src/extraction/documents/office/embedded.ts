import type { ZipMember } from '../../archives/zip-directory.ts';
import type { Budget } from '../../budget.ts';
import type { Entry, ReadingOptions } from '../../piece.ts';

/** Of Office: embeddings, and data that a text shows in places; of OpenDocument: objects of other programs, macros. */
const DOCUMENT =
  /(^|\/)embeddings\/[^/]+$|^customXml\/item\d*\.xml$|^Object \d+$|^(Basic|Scripts)\/(?!.*script-l[bc]\.xml$).+[^/]$/i;
const PICTURE = /\.(png|jpe?g|jpe|jfif|gif|bmp|tiff?|webp)$/i;
const THUMBNAIL = /(^|\/)thumbnails?[/.]/i;

/** Documents within a document, and its pictures where they are read. */
export function* embeddedEntries(
  members: readonly ZipMember[],
  budget: Budget,
  { ocr }: ReadingOptions,
): Generator<Entry> {
  for (const member of members) {
    const isPicture = ocr && PICTURE.test(member.name) && !THUMBNAIL.test(member.name);
    if (isPicture || DOCUMENT.test(member.name)) yield entryOf(member, budget);
  }
}

export function entryOf(member: ZipMember, budget: Budget): Entry {
  budget.entry();
  return { is: 'entry', name: member.name, bytes: member.bytes() };
}
