import { gzipSync, zstdCompressSync } from 'node:zlib';
import {
  COPY,
  LZMA,
  LZMA2,
  type SevenZipFolder,
  sevenZipOf,
} from '../archives/seven-zip/seven-zip.fixture.ts';
import { attributes, type TarPart, tarOf } from '../archives/tar/tar.fixture.ts';
import { type ZipPart, zipOf } from '../archives/zip/zip.fixture.ts';
import { encodeDeflate64, symbolsOf } from '../formats/compression/deflate/deflate64.fixture.ts';
import { encodeBcj2 } from '../formats/compression/filters/bcj2.fixture.ts';
import { encodeAlone, encodeLzma, encodeLzma2 } from '../formats/compression/lzma/lzma.fixture.ts';
import { encodePpmd, encodePpmdI } from '../formats/compression/ppmd/ppmd.fixture.ts';
import { xzOf } from '../formats/compression/xz/xz.fixture.ts';
import { mutated, mutatedOne } from './mutate.fixture.ts';
import { MARKER, type Sample } from './sample.fixture.ts';

const lines = Array.from({ length: 60 }, (_, i) => `${i % 7}: the quick brown fox ${i * i}\n`).join('');
const text = Buffer.from(`${lines}the ${MARKER} has it\n${'a'.repeat(300)}\n${lines}`);
const half = text.length >> 1;

// Written by bzip2 1.0: forty lines, the marker, and three hundred times the same letter.
const BZIP2 = Buffer.from(
  'QlpoMTFBWSZTWfkxiLQAAGhZgIAQQCB/kDtrvsAACCAAkDGAAAAACpSJk0aDTINMmSraSGtNPYjMR5v1srEYiMr0wonehMqB3yjw' +
    'lidExS6Mopzm/Opm0qw6iNBFkI91oikI2EVaCKbiNbhH4RwEfON9oii/PtxEbiN4It/i7kinChIfJjEWgA==',
  'base64',
);

const xzBlocks = [
  { data: text.subarray(0, half), compressed: encodeLzma2(text.subarray(0, half)), sized: true },
  { data: text.subarray(half), compressed: encodeLzma2(text.subarray(half)) },
];

const tarParts: readonly TarPart[] = [
  { name: 'folder/', type: '5' },
  {
    name: 'PaxHeader',
    type: 'x',
    data: attributes({ path: `folder/${'long '.repeat(30)}.txt`, mtime: '1.5' }),
  },
  { name: 'short', data: text },
  { name: '././@LongLink', type: 'L', data: `folder/${'longer '.repeat(30)}.log\0`, magic: 'ustar  \0' },
  { name: 'cut', data: gzipSync(text), magic: 'ustar  \0' },
  { name: 'link', type: '2', link: '/etc/passwd' },
  { name: 'wide', data: 'wide', wide: true },
  {
    name: 'holes.log',
    type: 'S',
    map: [
      [512, 4],
      [9000, 4],
    ],
    data: 'one two\n',
    magic: 'ustar  \0',
  },
];

const zipParts: readonly ZipPart[] = [
  { name: 'folder/', method: 0 },
  { name: 'folder/plain.txt', data: text },
  { name: 'stored.txt', data: 'stored', method: 0 },
  { name: 'late.csv', data: 'a,b\n1,2\n'.repeat(20), descriptor: 'signed' },
  { name: 'later.csv', data: 'a,b\n1,2\n'.repeat(20), descriptor: 'bare' },
  { name: 'large.txt', method: 9, data: text, compressed: encodeDeflate64([{ dynamic: symbolsOf(text) }]) },
  {
    name: 'best.txt',
    method: 98,
    data: text,
    compressed: Buffer.concat([Buffer.of(3, 0x10), encodePpmdI(text, 4, 2 ** 20, true)]),
  },
  { name: 'wide.log.gz', data: gzipSync(text), zip64: true },
  { name: 'inner.zip', data: zipOf([{ name: 'deep.txt', data: 'deep down' }]) },
];

const files = (name: string) => [
  { name: `${name}/a.txt`, data: text.subarray(0, half) },
  { name: `${name}/b.txt`, data: text.subarray(half) },
];
const folders: readonly SevenZipFolder[] = [
  { coders: [LZMA], packed: encodeLzma(text, undefined, false), files: files('one') },
  { coders: [LZMA2], packed: encodeLzma2(text), files: files('two') },
  { coders: [COPY], packed: text, files: files('three') },
  {
    coders: [{ method: '030401', properties: [4, 0, 8, 0, 0] }],
    packed: encodePpmd(text, 4, 2048),
    files: files('six'),
  },
  { coders: [{ method: '0303011b', inputs: 4 }], packed: encodeBcj2(text), files: files('four') },
  {
    coders: [{ method: '0a' }, { method: '040109' }],
    packed: encodeDeflate64([{ fixed: symbolsOf(text) }]),
    files: files('five'),
  },
];

export const compressedSamples: readonly Sample[] = [
  {
    format: 'gz',
    name: 'sample.log.gz',
    bytes: Buffer.concat([gzipSync(lines), gzipSync(text)]),
    marker: MARKER,
    endless: true,
  },
  { format: 'bz2', name: 'sample.log.bz2', bytes: BZIP2, marker: MARKER },
  {
    format: 'xz',
    name: 'sample.log.xz',
    bytes: xzOf(xzBlocks),
    marker: MARKER,
    deeper: (random) =>
      xzOf(
        mutatedOne(xzBlocks, random, (block) => ({
          ...block,
          compressed: mutated(block.compressed, random),
        })),
      ),
  },
  { format: 'lzma', name: 'sample.log.lzma', bytes: encodeAlone(text, 'unknown'), marker: MARKER },
  {
    format: 'zst',
    name: 'sample.log.zst',
    bytes: Buffer.concat([zstdCompressSync(lines), zstdCompressSync(text)]),
    marker: MARKER,
    endless: true,
  },
  {
    format: 'tar',
    name: 'sample.tar',
    bytes: tarOf(tarParts),
    marker: MARKER,
    deeper: (random) =>
      tarOf(
        mutatedOne(tarParts, random, (part) => ({
          ...part,
          data: mutated(Buffer.from(part.data ?? 'x'), random),
        })),
      ),
  },
  {
    format: 'zip',
    name: 'sample.zip',
    bytes: zipOf(zipParts),
    marker: MARKER,
    deeper: (random) =>
      zipOf(
        mutatedOne(zipParts, random, (part) => ({
          ...part,
          data: mutated(Buffer.from(part.data ?? 'x'), random),
        })),
      ),
  },
  {
    format: '7z',
    name: 'sample.7z',
    bytes: sevenZipOf(folders, { empty: ['empty'], folders: ['folder'] }),
    marker: MARKER,
    deeper: (random) => sevenZipOf(folders, { empty: ['empty'], spoil: (header) => mutated(header, random) }),
  },
];
