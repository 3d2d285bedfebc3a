import { constants, inflateRawSync } from 'node:zlib';

export type ZipDocument = 'word' | 'excel' | 'powerpoint' | 'open-document' | 'epub';

const LOCAL = 0x04034b50;
const LOCAL_SIZE = 30;
const HAS_DESCRIPTOR = 8;
const DEFLATED = 8;
const MAX_TYPES = 1024 * 1024;

/**
 * Detects the document type from the beginning of a zip file (64 KB suffice); null: an ordinary archive. Decided by the content, never by
 * the file's name: the leading mimetype entry, the content types, or parts that only one type has.
 */
export function sniffZip(head: Uint8Array): ZipDocument | null {
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.length);
  const names = new Set<string>();
  for (const entry of localEntries(bytes)) {
    if (names.size === 0 && entry.name === 'mimetype') return byMimeType(textOf(entry));
    if (/^\[Content_Types\]\.xml$/i.test(entry.name)) {
      const kind = byContentTypes(textOf(entry));
      if (kind !== null) return kind;
    }
    names.add(entry.name);
  }
  return byNames(names);
}

interface LocalEntry {
  readonly name: string;
  readonly deflated: boolean;
  /** As far as it is in the head; includes what follows if its length is in a data descriptor. */
  readonly data: Buffer;
}

function* localEntries(bytes: Buffer): Generator<LocalEntry> {
  for (let at = 0; at + LOCAL_SIZE <= bytes.length && bytes.readUInt32LE(at) === LOCAL; ) {
    const from = at + LOCAL_SIZE + bytes.readUInt16LE(at + 26) + bytes.readUInt16LE(at + 28);
    const name = bytes.toString('utf8', at + LOCAL_SIZE, at + LOCAL_SIZE + bytes.readUInt16LE(at + 26));
    const late = (bytes.readUInt16LE(at + 6) & HAS_DESCRIPTOR) !== 0 && bytes.readUInt32LE(at + 18) === 0;
    const to = late ? nextEntry(bytes, from) : from + bytes.readUInt32LE(at + 18);
    const deflated = bytes.readUInt16LE(at + 8) === DEFLATED;
    yield { name: name.replaceAll('\\', '/'), deflated, data: bytes.subarray(from, to) };
    at = to;
  }
}

function nextEntry(bytes: Buffer, from: number): number {
  const next = bytes.indexOf('PK\x03\x04', from, 'latin1');
  return next === -1 ? bytes.length : next;
}

function textOf({ data, deflated }: LocalEntry): string {
  if (!deflated) return data.toString('latin1');
  try {
    const options = { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: MAX_TYPES };
    return inflateRawSync(data, options).toString('latin1');
  } catch {
    return '';
  }
}

function byMimeType(type: string): ZipDocument | null {
  if (type.startsWith('application/epub+zip')) return 'epub';
  // A database has its data elsewhere than documents have their text.
  if (type.startsWith('application/vnd.oasis.opendocument.base')) return null;
  return /^application\/vnd\.(oasis\.opendocument|sun\.xml)\./.test(type) ? 'open-document' : null;
}

/** Only the main part decides: a text document may embed workbooks. */
function byContentTypes(types: string): ZipDocument | null {
  if (/(wordprocessingml|ms-word)\.[\w.]{1,64}\.main\b/.test(types)) return 'word';
  if (/(spreadsheetml|ms-excel)\.[\w.]{1,64}\.main\b/.test(types)) return 'excel';
  if (/(presentationml|ms-powerpoint)\.[\w.]{1,64}\.main\b/.test(types)) return 'powerpoint';
  return null;
}

/** The content types may be at the end of the file, or truncated. */
function byNames(names: ReadonlySet<string>): ZipDocument | null {
  const isPackage = names.has('[Content_Types].xml') || names.has('_rels/.rels');
  const has = (folder: string) => isPackage && [...names].some((name) => name.startsWith(folder));
  if (names.has('word/document.xml') || has('word/')) return 'word';
  if (names.has('xl/workbook.xml') || names.has('xl/workbook.bin') || has('xl/')) return 'excel';
  if (names.has('ppt/presentation.xml') || has('ppt/')) return 'powerpoint';
  if (names.has('META-INF/container.xml')) return 'epub';
  return names.has('content.xml') && names.has('META-INF/manifest.xml') ? 'open-document' : null;
}
