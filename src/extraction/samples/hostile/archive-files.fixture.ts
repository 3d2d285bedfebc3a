import { gzipSync } from 'node:zlib';
import { LZMA, sevenZipOf, startOf } from '../../archives/seven-zip/seven-zip.fixture.ts';
import { attributes, END, tarOf, tarPart } from '../../archives/tar/tar.fixture.ts';
import { writeEnd, writePart, zipOf } from '../../archives/zip/zip.fixture.ts';
import { lines as drawn, PdfFixture } from '../../documents/pdf/pdf.fixture.ts';
import { encodeLzma } from '../../formats/compression/lzma/lzma.fixture.ts';
import { times } from '../bomb.fixture.ts';
import { hostileFiles } from './hostile-file.fixture.ts';

const MILLION = 1_000_000;
const each = <T>(count: number, make: (i: number) => T) => Array.from({ length: count }, (_, i) => make(i));
const zeros = (size: number) => Buffer.alloc(size);

/** Each local header is inside the data of the previous one, as a stored block: all members share the same final bytes. */
function quoted(count: number): Buffer {
  const kernel = writePart({ name: 'k', data: zeros(20 * MILLION) }, 0).local;
  const locals: Buffer[] = [kernel];
  for (let i = 0; i < count; i++) {
    const head = writePart({ name: `${i}`, compressed: Buffer.alloc(0), method: 8 }, 0).local;
    const stored = Buffer.from([
      0,
      locals[0]!.length & 255,
      locals[0]!.length >> 8,
      ~locals[0]!.length & 255,
      (~locals[0]!.length >> 8) & 255,
    ]);
    locals.unshift(Buffer.concat([head, stored]));
  }
  return Buffer.concat(locals);
}

/** A zip archive in which `count` names of the directory refer to the same entry. */
function sameEntry(count: number): Buffer {
  const { local, record } = writePart({ name: 'a.txt', data: zeros(5 * MILLION) }, 0);
  return Buffer.concat([
    local,
    times(record, count),
    writeEnd(count, count * record.length, local.length, { zip64: true }),
  ]);
}

/** A page that takes a second or more to read. */
function slowPdf(): Buffer {
  const pdf = new PdfFixture();
  pdf.compressed = true;
  return pdf.build(pdf.pages([{ content: `${drawn('slow')} ${'q Q '.repeat(4 * MILLION)}` }]));
}

/** Every layer holds the next one twice. */
function doubled(layers: number): Buffer {
  let bytes: Uint8Array = gzipSync(zeros(MILLION));
  for (let i = 0; i < layers; i++)
    bytes = zipOf(each(8, (n) => ({ name: `${n}.${i === 0 ? 'gz' : 'zip'}`, data: bytes })));
  return Buffer.from(bytes);
}

/** A packed header that contains a packed header, and so on. */
const headerLoop = () => {
  const header = Buffer.from([23, 6, 0, 1, 9, 40, 0, 7, 11, 1, 0, 1, 1, 0, 12, 40, 0, 0]);
  return Buffer.concat([startOf(0, header), header]);
};

const packedNames = (count: number) =>
  sevenZipOf([], {
    empty: each(count, (i) => `${i}`),
    header: { coders: [LZMA], pack: (bytes) => encodeLzma(bytes, undefined, false) },
  });

const oneFolder = (count: number) => {
  const files = each(count, (i) => ({ name: `${i}.txt`, data: 'x' }));
  return sevenZipOf([
    { coders: [LZMA], packed: encodeLzma(Buffer.alloc(count, 'x'), undefined, false), files },
  ]);
};

export const archiveFiles = hostileFiles({
  'zip: headers quoted in each other': ['a.zip', () => quoted(1000)],
  'zip: 60,000 names of one entry': ['a.zip', () => sameEntry(60_000)],
  'zip: 30,000 members of nothing': ['a.zip', () => zipOf(each(30_000, (i) => ({ name: `${i}`, data: '' })))],
  'zip: archives in archives, eight each': ['a.zip', () => doubled(5)],
  'zip: signatures everywhere': [
    'a.zip',
    () => times(Buffer.from('504b0304504b0708504b0102504b0506', 'hex'), 200_000),
  ],
  'zip: descriptors without an end': [
    'a.zip',
    () =>
      Buffer.concat([
        writePart({ name: 'a', data: 'x', method: 0, descriptor: 'signed' }, 0).local,
        times(Buffer.from('PK\x07\x08abcdefghijkl'), 250_000),
      ]),
  ],
  'zip: 300 documents that take a second': [
    'a.zip',
    () => {
      const data = slowPdf();
      return zipOf(each(300, (i) => ({ name: `${i}.pdf`, data, method: 8 })));
    },
  ],
  'zip: 20,000 damaged documents': [
    'a.zip',
    () => zipOf(each(20_000, (i) => ({ name: `${i}.pdf`, data: '%PDF-1.7\n1 0 obj <<', method: 0 }))),
  ],
  'zip: 20,000 small databases': [
    'a.zip',
    () =>
      zipOf(
        each(20_000, (i) => ({
          name: `${i}.db`,
          data: 'SQLite format 3\0\x10\0'.padEnd(120, '\0'),
          method: 8,
        })),
      ),
  ],
  'zip: a name of 64 kB for each of 60 members': [
    'a.zip',
    () => zipOf(each(35, () => ({ name: 'n/'.repeat(32_000), data: 'x' }))),
  ],
  'tar: 9,000 members of nothing, packed': [
    'a.tgz',
    () => gzipSync(Buffer.concat([...each(400_000, () => EMPTY), END])),
  ],
  'tar: long names one after another': [
    'a.tgz',
    () => gzipSync(Buffer.concat([...each(100_000, () => LONG_NAME), END])),
  ],
  'tar: attributes of 100 MB': [
    'a.tgz',
    () =>
      gzipSync(tarOf([{ name: 'x', type: 'x', data: attributes({ comment: 'x'.repeat(100 * MILLION) }) }])),
  ],
  'tar: a million attributes': [
    'a.tgz',
    () => gzipSync(tarOf([{ name: 'x', type: 'x', data: '6 a=b\n'.repeat(5 * MILLION) }])),
  ],
  'tar: attributes before attributes': [
    'a.tgz',
    () => gzipSync(Buffer.concat([...each(100_000, () => ATTRIBUTES), END])),
  ],
  'tar: a file of 8 TB of holes': [
    'a.tar',
    () => tarOf([{ name: 'a.txt', type: 'S', data: 'x', map: [[8e9, 1]] }]),
  ],
  'tar: 100,000 holes': [
    'a.tgz',
    () =>
      gzipSync(tarOf([{ name: 'a.txt', type: 'S', map: each(100_000, (i) => [i * 80_000, 0] as const) }])),
  ],
  'tar: a member larger than the archive': [
    'a.tar',
    () => tarOf([{ name: 'a.txt', data: 'x', size: 2 ** 50, wide: true }]),
  ],
  '7z: 20,000 files of nothing': ['a.7z', () => packedNames(20_000)],
  '7z: 20,000 files of one byte': ['a.7z', () => oneFolder(20_000)],
  '7z: packed headers without an end': ['a.7z', headerLoop],
  '7z: a dictionary of 4 GB': [
    'a.7z',
    () =>
      sevenZipOf([
        {
          coders: [{ method: '030101', properties: [93, 255, 255, 255, 255] }],
          packed: encodeLzma(Buffer.from('x'), undefined, false),
          files: [{ name: 'a.txt', data: 'x' }],
        },
      ]),
  ],
  '7z: PPMd with 4 GB of memory': [
    'a.7z',
    () =>
      sevenZipOf([
        {
          coders: [{ method: '030401', properties: [64, 255, 255, 255, 255] }],
          packed: Buffer.alloc(1000, 7),
          files: [{ name: 'a.txt', data: zeros(MILLION) }],
        },
      ]),
  ],
});

const EMPTY = tarPart({ name: 'empty.txt' });
const LONG_NAME = tarPart({ name: 'x', type: 'L', data: 'n'.repeat(400) });
const ATTRIBUTES = tarPart({ name: 'x', type: 'x', data: attributes({ path: 'y' }) });
