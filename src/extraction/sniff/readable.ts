/** Maps non-text types to their readers. Labels are those of magic.ts. */
import { sniffZip } from '../documents/office/package/sniff-zip.ts';

/** Read sequentially, entry by entry. */
export type ArchiveType = 'zip' | 'tar';

/** Read with random access, in a separate process. */
export type DocumentType =
  | 'pdf'
  | 'word'
  | 'excel'
  | 'powerpoint'
  | 'open-document'
  | 'office-xml'
  | 'epub'
  | 'legacy'
  | 'rtf'
  | 'parquet'
  | 'avro'
  | 'sqlite'
  | '7z'
  | 'picture';

const DOCUMENTS: Readonly<Record<string, DocumentType>> = {
  'PDF document': 'pdf',
  'RTF document': 'rtf',
  'legacy Office document': 'legacy',
  'Parquet file': 'parquet',
  'Avro file': 'avro',
  'SQLite database': 'sqlite',
  'Office XML document': 'office-xml',
  '7z archive': '7z',
  'PNG image': 'picture',
  'JPEG image': 'picture',
  'GIF image': 'picture',
  'TIFF image': 'picture',
  'BMP image': 'picture',
  'WebP image': 'picture',
  'HEIC image': 'picture',
  'AVIF image': 'picture',
  'EMF image': 'picture',
  'WMF image': 'picture',
};

/** A picture type that is read in parts: see pictures/picture-type.ts. */
export type Readable =
  | { readonly is: 'archive'; readonly archive: ArchiveType; readonly label: string }
  | { readonly is: 'document'; readonly document: DocumentType; readonly label: string };

export function readableOf(label: string, head: Uint8Array): Readable | null {
  if (label === 'tar archive') return { is: 'archive', archive: 'tar', label };
  if (label === 'zip archive') return insideZip(head);
  const document = DOCUMENTS[label];
  return document === undefined ? null : { is: 'document', document, label };
}

function insideZip(head: Uint8Array): Readable {
  const document = sniffZip(head);
  if (document === null) return { is: 'archive', archive: 'zip', label: 'zip archive' };
  return { is: 'document', document, label: ZIP_LABELS[document] };
}

const ZIP_LABELS = {
  word: 'Word document',
  excel: 'Excel workbook',
  powerpoint: 'PowerPoint presentation',
  'open-document': 'OpenDocument file',
  epub: 'EPUB book',
} as const;
