/** The reader of each type, loaded with the first document of that type: some include large libraries. */
import type { DocumentReader } from '../document-item.ts';
import type { DocumentType } from '../sniff/readable.ts';
import { withStreamFallback } from './office/package/stream-fallback.ts';

const readers: Readonly<Record<DocumentType, () => Promise<DocumentReader>>> = {
  pdf: async () => (await import('./pdf/pdf.ts')).readPdf,
  word: async () => withStreamFallback((await import('./office/word.ts')).readWord),
  excel: async () => withStreamFallback((await import('./office/excel/excel.ts')).readExcel),
  powerpoint: async () => withStreamFallback((await import('./office/powerpoint.ts')).readPowerPoint),
  'open-document': async () =>
    withStreamFallback((await import('./office/open-document/open-document.ts')).readOpenDocument),
  'office-xml': async () => (await import('./office/flat/flat-office.ts')).readFlatOffice,
  epub: async () => withStreamFallback((await import('./office/epub.ts')).readEpub),
  legacy: async () => (await import('./legacy/legacy-document.ts')).readLegacy,
  rtf: async () => (await import('./rtf/rtf.ts')).readRtf,
  parquet: async () => (await import('./data/parquet.ts')).readParquet,
  avro: async () => (await import('./data/avro.ts')).readAvro,
  sqlite: async () => (await import('./data/sqlite.ts')).readSqlite,
  '7z': async () => (await import('../archives/seven-zip/seven-zip.ts')).read7z,
  picture: async () => (await import('./pictures/picture.ts')).readPicture,
};

export function readerOf(type: DocumentType): Promise<DocumentReader> {
  return readers[type]();
}
