import { gzipSync, zstdCompressSync } from 'node:zlib';
import { END, tarPart } from '../archives/tar/tar.fixture.ts';
import { writeEnd, writePart, zipOf } from '../archives/zip/zip.fixture.ts';
import { encodeLzma2 } from '../formats/compression/lzma/lzma.fixture.ts';
import { xzOf } from '../formats/compression/xz/xz.fixture.ts';
import { type Bomb, bomb, times } from './bomb.fixture.ts';

const MEGABYTE = 1_000_000;
const SIZE = 'limit: decompressed size';

/** Written by bzip2 1.0: two hundred million times the same letter. */
const BZIP2 = Buffer.from(
  'QlpoOTFBWSZTWcJtKvMBX44BAKAAAAggADCATUZCoCWpCoCXMUFZJlNZwm0q8wFfjgEAoAAACCAAMIBNRkKgJakKgJcxQVkmU1nC' +
    'bSrzAV+OAQCgAAAIIAAwgE1GQqAlqQqAlzFBWSZTWcJtKvMBX44BAKAAAAggADCATUZCoCWpCoCXMUFZJlNZxa63xwB9ooEIoAAC' +
    'AAAIIAAwzAmqaZKkQbVFSIPF3JFOFCQfXuxTQA==',
  'base64',
);

const EMPTY_BZIP2 = Buffer.from('QlpoORdyRThQkAAAAAA=', 'base64');
const STREAMS = 30_000;

const letters = (count: number) => Buffer.alloc(count, 'a');

/** The same LZMA2 chunk repeated; its checksum at the end is never reached. */
function xz(): Buffer {
  const chunk = encodeLzma2(letters(60_000)).subarray(0, -1);
  return xzOf([{ data: Buffer.alloc(0), compressed: Buffer.concat([times(chunk, 2000), Buffer.alloc(1)]) }]);
}

/** Five floors of ten rooms each, and a megabyte in every one: a hundred gigabytes. */
function nested(floors: number): Buffer {
  const [name, data] = floors === 0 ? ['a.txt', letters(MEGABYTE)] : ['a.zip', nested(floors - 1)];
  return zipOf(Array.from({ length: 10 }, (_, i) => ({ name: `${i}-${name}`, data })));
}

/** Each holds the next, as an archive does that holds itself. */
function within(depth: number, wrap: (bytes: Buffer) => Buffer): Buffer {
  let bytes = Buffer.from('at the bottom');
  for (let i = 0; i < depth; i++) bytes = wrap(bytes) as typeof bytes;
  return bytes;
}

const MANY = 100_000;

function manyEntries(): Buffer {
  const { local, record } = writePart({ name: 'a.txt', data: 'x', method: 0 }, 0);
  const records = times(record, MANY);
  for (let i = 0; i < MANY; i++) records.writeUInt32LE(i * local.length, i * record.length + 42);
  const end = writeEnd(MANY, records.length, MANY * local.length, { zip64: true });
  return Buffer.concat([times(local, MANY), records, end]);
}

/** A million names for the same bytes. */
function overlapping(): Buffer {
  const { local, record } = writePart({ name: 'a.txt', data: letters(MEGABYTE) }, 0);
  return Buffer.concat([local, times(record, 1000), writeEnd(1000, 1000 * record.length, local.length, {})]);
}

const MEMBERS = 1_000_001;
const IN_CHUNK = 128;

function* endlessTar(): Generator<Uint8Array> {
  const chunk = times(tarPart({ name: 'empty.txt' }), IN_CHUNK);
  for (let i = 0; i < MEMBERS; i += IN_CHUNK) yield chunk;
  yield END;
}

export const archiveBombs: readonly Bomb[] = [
  bomb('gzip of one letter', 'a.txt.gz', () => times(gzipSync(letters(10 * MEGABYTE)), 20), SIZE),
  bomb('bzip2 of one letter', 'a.txt.bz2', () => BZIP2, 'limit: compression ratio'),
  bomb('xz of one letter', 'a.txt.xz', xz, SIZE),
  bomb(
    'zstd of one letter',
    'a.txt.zst',
    () => times(zstdCompressSync(letters(10 * MEGABYTE)), 20),
    'limit: compression ratio',
  ),
  bomb('gzip in gzip', 'a.gz', () => within(100, (bytes) => gzipSync(bytes)), 'limit: depth', {
    outcome: 'skipped',
  }),
  bomb('gzip of nothing, again and again', 'a.gz', () => times(gzipSync(''), STREAMS), null),
  bomb('bzip2 of nothing, again and again', 'a.bz2', () => times(EMPTY_BZIP2, STREAMS), null),
  bomb('zstd of nothing, again and again', 'a.zst', () => times(zstdCompressSync(''), STREAMS), null),
  bomb('archives of archives', 'a.zip', () => nested(4), SIZE),
  bomb(
    'an archive within itself',
    'a.zip',
    () => within(60, (bytes) => zipOf([{ name: 'a.zip', data: bytes }])),
    'limit: depth',
  ),
  bomb('entries that overlap', 'a.zip', overlapping, 'corrupt: zip directory'),
  bomb('a hundred thousand entries', 'a.zip', manyEntries, null),
  { ...bomb('a million members', 'a.tar', () => END, 'limit: entries'), chunks: endlessTar },
];
