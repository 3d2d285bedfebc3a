import { deflateSync } from 'node:zlib';
import {
  exifSegment,
  type Fields,
  gifOf,
  jpegOf,
  tiffOf,
  webpOf,
} from '../../documents/pictures/metadata/metadata.fixture.ts';
import {
  emfOf,
  emfRecord,
  emfText,
  longs,
  placeable,
  wmfOf,
  wmfText,
} from '../../documents/pictures/metafile/metafile.fixture.ts';
import { pngChunk } from '../../documents/pictures/picture.fixture.ts';
import { times } from '../bomb.fixture.ts';
import { hostileFiles } from './hostile-file.fixture.ts';

const MILLION = 1_000_000;
const PNG = Buffer.from('89504e470d0a1a0a', 'hex');
const side = (width: number, height = width) => {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head[8] = 8;
  return pngChunk('IHDR', head);
};
const png = (...chunks: readonly Buffer[]) =>
  Buffer.concat([PNG, side(9), ...chunks, pngChunk('IEND', Buffer.alloc(0))]);
const packedText = (type: string, size: number) =>
  pngChunk(type, Buffer.concat([Buffer.from('Comment\0\0'), deflateSync(Buffer.alloc(size, 'words '))]));

/** Every directory of a TIFF file refers to the same text of this many bytes. */
function sameText(directories: number, size: number): Buffer {
  const text = tiffOf([new Map([[0x010e, 'x'.repeat(size)]])]);
  const entry = Buffer.alloc(18);
  const parts: Buffer[] = [text];
  let at = text.length;
  for (let i = 0; i < directories; i++) {
    entry.writeUInt16LE(1, 0);
    entry.writeUInt16LE(0x010e, 2);
    entry.writeUInt16LE(2, 4);
    entry.writeUInt32LE(size, 6);
    entry.writeUInt32LE(8, 10);
    entry.writeUInt32LE(i === directories - 1 ? 0 : at + 18, 14);
    parts.push(Buffer.from(entry));
    at += 18;
  }
  const file = Buffer.concat(parts);
  file.writeUInt32LE(text.length, 4);
  return file;
}

/** The next directory of the last one is the first. */
function directoryLoop(): Buffer {
  const file = tiffOf([new Map([[0x010e, 'a text that is longer']])]);
  file.writeUInt32LE(file.readUInt32LE(4), file.length - 4);
  return file;
}

/** 60,000 entries, all of them the same long text. */
function sameEntries(entries: number, size: number): Buffer {
  const file = Buffer.alloc(8 + 2 + 12 * entries + 4 + size, 'x');
  file.write('II*\0', 0, 'latin1');
  file.writeUInt32LE(8, 4);
  file.writeUInt16LE(entries, 8);
  for (let i = 0; i < entries; i++) {
    const at = 10 + 12 * i;
    file.writeUInt16LE([0x010e, 0x010f, 0x013b, 0x8298][i % 4]!, at);
    file.writeUInt16LE(2, at + 2);
    file.writeUInt32LE(size, at + 4);
    file.writeUInt32LE(14 + 12 * entries, at + 8);
  }
  file.writeUInt32LE(0, 10 + 12 * entries);
  return file;
}

/** Directories that are in each other, and in themselves. */
const selfExif = () => {
  const inner: Fields = new Map([[0x8769, 8]]);
  return tiffOf([
    new Map<number, number | Fields>([
      [0x8769, 8],
      [0x8825, inner],
    ]),
  ]);
};

function box(type: string, ...parts: readonly Buffer[]): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + parts.reduce((sum, { length }) => sum + length, 0));
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, ...parts]);
}

/** One item whose extents are all the same bytes. */
function sameExtents(extents: number, size: number): Buffer {
  const build = (at: number) => {
    const place = Buffer.alloc(8);
    place.writeUInt32BE(at, 0);
    place.writeUInt32BE(size, 4);
    const count = Buffer.alloc(2);
    count.writeUInt16BE(extents);
    const name = box('infe', Buffer.from('020000000001000045786966', 'hex'), Buffer.alloc(1));
    const places = box('iloc', Buffer.from('000000004400000100010000', 'hex'), count, times(place, extents));
    return Buffer.concat([
      box('ftyp', Buffer.from('heic\0\0\0\0mif1heic', 'latin1')),
      box('meta', Buffer.alloc(4), box('iinf', Buffer.from('000000000001', 'hex'), name), places),
      box('mdat', Buffer.alloc(size, 'x')),
    ]);
  };
  return build(build(0).length - size);
}

const boxesIn = (depth: number) => {
  const file = Buffer.alloc(24 + 8 * depth);
  box('ftyp', Buffer.from('heic\0\0\0\0mif1heic', 'latin1')).copy(file);
  for (let i = 0; i < depth; i++) {
    file.writeUInt32BE(8 * (depth - i), 24 + 8 * i);
    file.write('meta', 28 + 8 * i, 'latin1');
  }
  return file;
};

export const pictureFiles = hostileFiles({
  'png: 300,000 texts': ['a.png', () => png(times(pngChunk('tEXt', Buffer.from('a\0b')), 250_000))],
  'png: packed texts of 500 MB': [
    'a.png',
    () => png(...Array.from({ length: 10 }, () => packedText('zTXt', 50 * MILLION))),
  ],
  'png: chunks of nothing': ['a.png', () => png(times(pngChunk('IDAT', Buffer.alloc(0)), 350_000))],
  'png: two billion pixels wide': [
    'a.png',
    () => Buffer.concat([PNG, side(2 ** 31 - 1), pngChunk('IDAT', deflateSync(Buffer.alloc(MILLION)))]),
  ],
  'jpeg: a million segments': [
    'a.jpg',
    () =>
      Buffer.concat([
        Buffer.from('ffd8', 'hex'),
        times(Buffer.from('fffe000378', 'hex'), 800_000),
        jpegOf().subarray(2),
      ]),
  ],
  'jpeg: bytes to skip': [
    'a.jpg',
    () => Buffer.concat([Buffer.from('ffd8', 'hex'), Buffer.alloc(4 * MILLION, 0xff)]),
  ],
  'jpeg: 2,000 times EXIF': [
    'a.jpg',
    () =>
      jpegOf(...Array.from({ length: 2000 }, () => exifSegment(tiffOf([new Map([[0x013b, 'Ann Smith']])])))),
  ],
  'gif: 300,000 frames': ['a.gif', () => gifOf('x', 300_000)],
  'webp: 500,000 chunks': [
    'a.webp',
    () => {
      const chunks = times(Buffer.from('ANMF\0\0\0\0'), 500_000);
      const file = Buffer.concat([webpOf(), chunks]);
      file.writeUInt32LE(file.length - 8, 4);
      return file;
    },
  ],
  'tiff: directories in a circle': ['a.tiff', directoryLoop],
  'tiff: 100,000 directories of the same text': ['a.tiff', () => sameText(100_000, MILLION)],
  'tiff: 60,000 entries of the same text': ['a.tiff', () => sameEntries(60_000, 4 * MILLION)],
  'tiff: directories in themselves': ['a.tiff', selfExif],
  'heic: 60,000 extents of the same bytes': ['a.heic', () => sameExtents(60_000, 4 * MILLION)],
  'heic: boxes in each other': ['a.heic', () => boxesIn(400_000)],
  'emf: 30,000 texts': [
    'a.emf',
    () =>
      emfOf(
        ...Array.from({ length: 30_000 }, (_, i) => emfText('word', { x: i % 97, y: (i * 7919) % 10_007 })),
      ),
  ],
  'emf: records of nothing': ['a.emf', () => emfOf(times(emfRecord(0x7f), 500_000))],
  'emf: saved states': [
    'a.emf',
    () => emfOf(times(emfRecord(33), 300_000), times(emfRecord(34, longs(-1)), 100_000)),
  ],
  'emf: a text that claims to be long': [
    'a.emf',
    () => {
      const text = emfText('word');
      text.writeUInt32LE(0x7fffffff, 44);
      return emfOf(times(text, 20_000));
    },
  ],
  'wmf: 50,000 texts': ['a.wmf', () => placeable(wmfOf(times(wmfText('word'), 50_000)))],
});
