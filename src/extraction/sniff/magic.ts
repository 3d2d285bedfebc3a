/**
 * Magic numbers. Strong ones are tested first, because the beginning of such a file may look like text. Weak ones are short, so that a
 * text may begin with them ("BMW …", "MZ …"): they only name data that is not text anyway.
 */
import { pictureType } from '../documents/pictures/picture-type.ts';
import { MULTI_VOLUME } from '../extraction-error.ts';

export type Compression = 'gzip' | 'bzip2' | 'zstd' | 'xz' | 'lzma';

type Signature = readonly [label: string, magic: string, at?: number];

// One character per byte.
const STRONG: readonly Signature[] = [
  ['PDF document', '%PDF-'],
  ['RTF document', '{\\rtf'],
  ['7z archive', '7z\xbc\xaf\x27\x1c'],
  ['rar archive', 'Rar!\x1a\x07'],
  ['tar archive', 'ustar', 257],
  ['PNG image', '\x89PNG\r\n\x1a\n'],
  ['JPEG image', '\xff\xd8\xff'],
  ['GIF image', 'GIF87a'],
  ['GIF image', 'GIF89a'],
  ['TIFF image', 'II*\0'],
  ['TIFF image', 'MM\0*'],
  ['WMF image', '\xd7\xcd\xc6\x9a'],
  ['WMF image', '\x01\0\x09\0\0\x03'],
  ['WMF image', '\x02\0\x09\0\0\x03'],
  ['WMF image', '\x01\0\x09\0\0\x01'],
  ['WMF image', '\x02\0\x09\0\0\x01'],
  ['ELF binary', '\x7fELF'],
  ['WebAssembly module', '\0asm'],
  ['SQLite database', 'SQLite format 3\0'],
  ['Parquet file', 'PAR1'],
  ['legacy Office document', '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'],
  ['Ogg media', 'OggS\0'],
  ['FLAC audio', 'fLaC\0'],
  ['WOFF font', 'wOFF'],
  ['WOFF font', 'wOF2'],
  ['OpenType font', 'OTTO\0'],
  ['Avro file', 'Obj\x01'],
  ['Arrow file', 'ARROW1\0\0'],
  ['SQLite write-ahead log', '\x37\x7f\x06\x82'],
  ['SQLite write-ahead log', '\x37\x7f\x06\x83'],
  ['lz4 data', '\x04\x22\x4d\x18'],
];

const WEAK: readonly Signature[] = [
  ['Windows executable', 'MZ'],
  ['BMP image', 'BM'],
  ['MP3 audio', 'ID3'],
  ['MP3 audio', '\xff\xfb'],
  ['MP3 audio', '\xff\xf3'],
  ['MP3 audio', '\xff\xf2'],
  ['Mach-O binary', '\xcf\xfa\xed\xfe'],
  ['Mach-O binary', '\xce\xfa\xed\xfe'],
  ['Mach-O binary', '\xfe\xed\xfa'],
  ['TrueType font', '\0\x01\0\0\0'],
  ['icon image', '\0\0\x01\0'],
  ['Python bytecode', '\x0d\x0d\x0a', 1],
  ['ORC file', 'ORC'],
  ['compress data', '\x1f\x9d'],
];

const RIFF: Readonly<Record<string, string>> = { WEBP: 'WebP image', 'AVI ': 'AVI media', WAVE: 'WAV audio' };

// The first bytes of strong magic numbers at offset 0: rejects nearly every text with one lookup.
const starts = new Uint8Array(256);
for (const [, magic, at] of STRONG) if (at === undefined) starts[magic.charCodeAt(0)] = 1;

export function compressionOf(head: Uint8Array): Compression | null {
  const first = head[0];
  if (first === 0x1f && begins(head, '\x1f\x8b\x08')) return 'gzip';
  if (first === 0xfd && begins(head, '\xfd7zXZ\0')) return 'xz';
  if (first === 0x28 && begins(head, '\x28\xb5\x2f\xfd')) return 'zstd';
  if (first !== undefined && first >> 4 === 5 && begins(head, '\x2a\x4d\x18', 1)) return 'zstd'; // a skippable frame
  if (first !== 0x42 || !begins(head, 'BZh') || head[3]! < 0x31 || head[3]! > 0x39) return null;
  return begins(head, '1AY&SY', 4) || begins(head, '\x17\x72\x45\x38\x50\x90', 4) ? 'bzip2' : null;
}

export function signatureOf(head: Uint8Array): string | null {
  if (begins(head, 'PK\x03\x04')) return 'zip archive';
  if (begins(head, 'PK\x05\x06\0')) return 'zip archive';
  if (begins(head, 'PK00PK\x03\x04')) return 'zip archive'; // marked as multi-volume, but has one volume
  if (begins(head, 'PK\x07\x08PK\x03\x04')) return MULTI_VOLUME;
  // HEIF pictures use the same container as MP4.
  if (begins(head, 'ftyp', 4)) return pictureType(head) ?? 'MP4 media';
  if (begins(head, '\x01\0\0\0') && begins(head, ' EMF', 40)) return 'EMF image';
  if (begins(head, 'RIFF')) return RIFF[latin1(head, 8, 12)] ?? null;
  if (begins(head, '\xca\xfe\xba\xbe')) return head[7]! < 40 ? 'Mach-O binary' : 'Java class';
  const marked = starts[head[0] ?? 0] === 1;
  for (const [label, magic, at] of STRONG) {
    if ((marked || at !== undefined) && begins(head, magic, at)) return label;
  }
  return null;
}

/** A name for what is no text. */
export function nameOfBinary(head: Uint8Array): string {
  if (hasTarChecksum(head)) return 'tar archive';
  if (latin1(head, 0, 1024).includes('%PDF-')) return 'PDF document';
  return WEAK.find(([, magic, at]) => begins(head, magic, at))?.[0] ?? 'binary data';
}

/** Archives older than the "ustar" magic: the header checksum, computed with its own field as blanks, is in octal at 148. */
function hasTarChecksum(head: Uint8Array): boolean {
  if (head.length < 512) return false;
  let sum = 8 * 32;
  for (let i = 0; i < 512; i++) if (i < 148 || i >= 156) sum += head[i]!;
  return Number.parseInt(latin1(head, 148, 156), 8) === sum;
}

function begins(head: Uint8Array, magic: string, at = 0): boolean {
  if (head.length < at + magic.length) return false;
  for (let i = 0; i < magic.length; i++) if (head[at + i] !== magic.charCodeAt(i)) return false;
  return true;
}

function latin1(bytes: Uint8Array, from: number, to: number): string {
  return Buffer.from(bytes.subarray(from, to)).toString('latin1');
}
