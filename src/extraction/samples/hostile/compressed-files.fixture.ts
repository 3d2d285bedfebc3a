import { deflateRawSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { zipOf } from '../../archives/zip/zip.fixture.ts';
import { encodeLzma2 } from '../../formats/compression/lzma/lzma.fixture.ts';
import { xzOf } from '../../formats/compression/xz/xz.fixture.ts';
import { times } from '../bomb.fixture.ts';
import { hostileFiles } from './hostile-file.fixture.ts';

const MILLION = 1_000_000;
const EMPTY_BZIP2 = Buffer.from('QlpoORdyRThQkAAAAAA=', 'base64');
const gzipHead = (flags: number) => Buffer.from([0x1f, 0x8b, 8, flags, 0, 0, 0, 0, 0, 3]);
const PEOPLE = Buffer.from(
  Array.from(
    { length: 200 },
    (_, i) => `name${i}@example.com;4111 1111 1111 1111;DE89370400440532013000;555-123-${1000 + i}\n`,
  ).join(''),
);

/** Blocks that repeat one byte: four bytes become 128 kB. */
function zstdRuns(blocks: number): Buffer {
  const block = Buffer.from([
    2 | ((0x20000 << 3) & 255),
    ((0x20000 << 3) >> 8) & 255,
    (0x20000 << 3) >> 16,
    0x61,
  ]);
  block[0] = (block[0]! & ~7) | 2;
  return Buffer.concat([Buffer.from('28b52ffd', 'hex'), Buffer.from([0, 0x58]), times(block, blocks)]);
}

/** A skippable frame of nothing. */
const SKIPPABLE = Buffer.from('502a4d1800000000', 'hex');

const lzmaAlone = (dictionary: number, body: Uint8Array) => {
  const head = Buffer.alloc(13, 0xff);
  head[0] = 93;
  head.writeUInt32LE(dictionary, 1);
  return Buffer.concat([head, body]);
};

const xzEmpty = xzOf([]);

export const compressedFiles = hostileFiles({
  'gzip: 200,000 members of nothing': ['a.gz', () => times(gzipSync(''), 200_000)],
  'gzip: 200,000 members of one letter': ['a.txt.gz', () => times(gzipSync('a'), 200_000)],
  'gzip: five gigabytes of one letter': [
    'a.txt.gz',
    () => times(gzipSync(Buffer.alloc(500 * MILLION, 'a'), { level: 9 }), 10),
  ],
  'gzip: gigabytes of findings': ['a.txt.gz', () => times(gzipSync(times(PEOPLE, 5000), { level: 9 }), 8)],
  'gzip: findings packed twice': [
    'a.txt.gz.gz',
    () => gzipSync(times(gzipSync(times(PEOPLE, 5000), { level: 9 }), 50), { level: 9 }),
  ],
  'gzip: a name without an end': ['a.gz', () => Buffer.concat([gzipHead(8), Buffer.alloc(4 * MILLION, 'n')])],
  'gzip: headers in headers': [
    'a.gz',
    () =>
      Buffer.concat(
        Array.from({ length: 60 }, () =>
          Buffer.concat([
            gzipHead(4),
            Buffer.from([255, 255]),
            Buffer.alloc(65_535),
            deflateRawSync(''),
            Buffer.alloc(8),
          ]),
        ),
      ),
  ],
  'gzip: zeros behind it': ['a.gz', () => Buffer.concat([gzipSync('x'), Buffer.alloc(4 * MILLION)])],
  'gzip: stored blocks of nothing': [
    'a.gz',
    () => Buffer.concat([gzipHead(0), times(Buffer.from([0, 0, 0, 255, 255]), 900_000)]),
  ],
  'gzip: fixed blocks of nothing': [
    'a.gz',
    () => Buffer.concat([gzipHead(0), times(deflateRawSync('', { finishFlush: 2 }), 900_000)]),
  ],
  'bzip2: 200,000 streams of nothing': ['a.bz2', () => times(EMPTY_BZIP2, 200_000)],
  'xz: 100,000 streams of nothing': ['a.xz', () => times(xzEmpty, 100_000)],
  'xz: 50,000 blocks of nothing': [
    'a.xz',
    () =>
      xzOf(Array.from({ length: 50_000 }, () => ({ data: Buffer.alloc(0), compressed: Buffer.from([0]) }))),
  ],
  'xz: gigabytes of one letter': [
    'a.txt.xz',
    () =>
      xzOf([
        {
          data: Buffer.alloc(0),
          compressed: Buffer.concat([
            times(encodeLzma2(Buffer.alloc(60_000, 'a')).subarray(0, -1), 30_000),
            Buffer.alloc(1),
          ]),
        },
      ]),
  ],
  'xz: a dictionary of 4 GB': [
    'a.txt.xz',
    () => xzOf([{ data: Buffer.from('x'), compressed: encodeLzma2(Buffer.from('x')), dictionary: 40 }]),
  ],
  'xz: stored chunks of one byte': [
    'a.txt.xz',
    () =>
      xzOf([
        {
          data: Buffer.alloc(0),
          compressed: Buffer.concat([times(Buffer.from([1, 0, 0, 0x61]), MILLION), Buffer.alloc(1)]),
        },
      ]),
  ],
  'lzma: a dictionary of 4 GB': ['a.lzma', () => lzmaAlone(0xffffffff, Buffer.alloc(MILLION))],
  'lzma: random data': [
    'a.lzma',
    () => lzmaAlone(1 << 20, Buffer.from(Array.from({ length: MILLION }, (_, i) => (i * 7919) >> 5))),
  ],
  'zstd: 400,000 frames of nothing': ['a.zst', () => times(zstdCompressSync(''), 400_000)],
  'zstd: 500,000 frames to skip': [
    'a.zst',
    () => Buffer.concat([times(SKIPPABLE, 500_000), zstdCompressSync('x')]),
  ],
  'zstd: runs of one letter': ['a.txt.zst', () => zstdRuns(100_000)],
  'zip: findings packed again and again': [
    'a.zip',
    () => {
      const data = times(PEOPLE, 700);
      return zipOf(Array.from({ length: 35 }, (_, i) => ({ name: `${i}.csv`, data })));
    },
  ],
});
