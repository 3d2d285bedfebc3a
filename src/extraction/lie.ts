/** Names that say something else than the content. Content wins; the lie is noted, because somebody may have meant it. */
import type { Reading } from './extraction.ts';
import type { Kind } from './kind.ts';

const CLAIMS: Readonly<Record<string, string>> = {
  text: 'txt csv tsv json ndjson jsonl xml html htm md log yaml yml ini eml sql',
  'PDF document': 'pdf',
  'Word document': 'docx docm dotx dotm',
  'Excel workbook': 'xlsx xlsm xltx xltm xlsb',
  'PowerPoint presentation': 'pptx pptm ppsx potx',
  'OpenDocument file': 'odt ods odp odg ott ots otp',
  'EPUB book': 'epub',
  'legacy Office document': 'doc xls ppt pps msg',
  'RTF document': 'rtf',
  'Parquet file': 'parquet',
  'Avro file': 'avro',
  'SQLite database': 'sqlite sqlite3',
  'zip archive': 'zip jar war ear whl',
  'tar archive': 'tar',
  '7z archive': '7z',
  'gzip data': 'gz tgz',
  'bzip2 data': 'bz2 tbz2',
  'xz data': 'xz txz',
  'zstd data': 'zst zstd',
  'PNG image': 'png',
  'JPEG image': 'jpg jpeg',
  'GIF image': 'gif',
  'TIFF image': 'tif tiff',
  'WebP image': 'webp',
};

const claimed = new Map<string, string>();
for (const [label, endings] of Object.entries(CLAIMS))
  for (const ending of endings.split(' ')) claimed.set(ending, label);

/** Null: the name says what it is, or nothing. */
export function lieOf(name: string, kind: Kind): string | null {
  const dot = name.lastIndexOf('.');
  if (dot < 0 || name.length - dot > 10) return null;
  const ending = name.slice(dot + 1).toLowerCase();
  const claim = claimed.get(ending);
  // Stores keep compressed what was written as text, and name it so.
  if (claim === 'text' && kind.is === 'packed') return null;
  const truth = labelOf(kind);
  return claim === undefined || claim === truth ? null : `named .${ending}, is ${truth}`;
}

export function noted(reading: Reading, lie: string | null): Reading {
  return lie === null ? reading : { ...reading, lie };
}

function labelOf(kind: Kind): string {
  if (kind.is === 'text') return 'text';
  return kind.is === 'packed' ? `${kind.packing} data` : kind.label;
}
