/**
 * Detects names that contradict the content. The content decides how a file is read; the mismatch is reported, because it may be
 * deliberate.
 */

import type { ExtractionResult } from '../extraction.ts';
import { isMultiVolume } from '../multi-volume.ts';
import type { SniffedType } from './sniff.ts';

const EXTENSIONS_BY_TYPE: Readonly<Record<string, string>> = {
  text: 'txt csv tsv json ndjson jsonl xml html htm md log yaml yml ini eml sql',
  'PDF document': 'pdf',
  'Word document': 'docx docm dotx dotm',
  'Excel workbook': 'xlsx xlsm xltx xltm xlsb',
  'PowerPoint presentation': 'pptx pptm ppsx potx',
  'OpenDocument file': 'odt ods odp odg ott ots otp',
  'Office XML document': 'fodt fods fodp fodg',
  'EPUB book': 'epub',
  'legacy Office document': 'doc xls ppt pps msg',
  'RTF document': 'rtf',
  'Parquet file': 'parquet',
  'Avro file': 'avro',
  'SQLite database': 'sqlite sqlite3',
  'zip archive': 'zip jar war ear whl',
  'tar archive': 'tar',
  '7z archive': '7z',
  'gzip data': 'gz tgz emz wmz',
  'bzip2 data': 'bz2 tbz2',
  'xz data': 'xz txz',
  'zstd data': 'zst zstd',
  'PNG image': 'png',
  'JPEG image': 'jpg jpeg',
  'GIF image': 'gif',
  'TIFF image': 'tif tiff',
  'WebP image': 'webp',
  'EMF image': 'emf',
  'WMF image': 'wmf',
};

const typeByExtension = new Map<string, string>();
for (const [label, endings] of Object.entries(EXTENSIONS_BY_TYPE))
  for (const ending of endings.split(' ')) typeByExtension.set(ending, label);

/** Null: the name matches, or implies nothing. `reading`: the result, if it is known. */
export function findTypeMismatch(
  name: string,
  type: SniffedType,
  result: ExtractionResult | null = null,
): string | null {
  const dot = name.lastIndexOf('.');
  if (dot < 0 || name.length - dot > 10) return null;
  const ending = name.slice(dot + 1).toLowerCase();
  const claim = typeByExtension.get(ending);
  // Stores keep compressed what was written as text, and name it so.
  if (claim === 'text' && type.is === 'compressed') return null;
  if (isMultiVolume(result)) return null;
  const truth = labelOf(type);
  // It is a text too.
  if (claim === 'text' && truth === 'Office XML document') return null;
  if (claim !== undefined && SEALED.has(claim) && truth === LEGACY && isEncrypted(result)) return null;
  return claim === undefined || claim === truth ? null : `named .${ending}, is ${truth}`;
}

/** With a password, these are stored in the container of the old formats. */
const SEALED = new Set(['Word document', 'Excel workbook', 'PowerPoint presentation']);
const LEGACY = 'legacy Office document';

function isEncrypted(result: ExtractionResult | null): boolean {
  return result?.state === 'skipped' && result.reason === 'encrypted';
}

export function withTypeMismatch(result: ExtractionResult, typeMismatch: string | null): ExtractionResult {
  return typeMismatch === null ? result : { ...result, typeMismatch };
}

function labelOf(type: SniffedType): string {
  if (type.is === 'text') return 'text';
  return type.is === 'compressed' ? `${type.compression} data` : type.label;
}
