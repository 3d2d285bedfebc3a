/** Archives of any length, in as much time as their bytes take to be written. */
import { join } from 'node:path';
import { END, tarPart } from '../../src/extraction/archives/tar/tar.fixture.ts';
import { extraField, writeEnd } from '../../src/extraction/archives/zip/zip.fixture.ts';
import { LargeFile } from './large-file.ts';
import { type Block, blockOf, blocksOf, COLUMNS, LAST_BLOCK } from './rows.ts';

const NAME = Buffer.from('export.csv');
const WIDE = 0xffffffff;
const VERSION = 45; // the first with long archives
const DEFLATED = 8;
const TAR_BLOCK = 512;
const MAX_MEMBER_BYTES = 16;

/** One CSV in a zip: its sizes stand in fields of 64 bits. */
export function writeLargeZip(folder: string, inside: number, seed: number): LargeFile {
  const file = new LargeFile(join(folder, 'export.zip'));
  file.write(localHeader(0, 0, 0));
  const start = file.bytes;
  file.deflated(blockOf(Buffer.from(`${COLUMNS.join(',')}\n`)));
  for (const block of blocksOf(inside, seed)) file.deflated(block);
  file.write(LAST_BLOCK);
  const packed = file.bytes - start;
  file.patch(localHeader(file.crc, packed, file.inside), 0);
  const [at, record] = [file.bytes, directoryRecord(file.crc, packed, file.inside)];
  file.write(record);
  file.write(writeEnd(1, record.length, at, { zip64: true }));
  file.close();
  return file;
}

function localHeader(crc: number, packed: number, size: number): Buffer {
  const extra = wideField(size, packed);
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x04034b50, 0);
  header.writeUInt16LE(VERSION, 4);
  return Buffer.concat([described(header, 6, crc, extra), NAME, extra]);
}

function directoryRecord(crc: number, packed: number, size: number): Buffer {
  const extra = wideField(size, packed, 0);
  const record = Buffer.alloc(46);
  record.writeUInt32LE(0x02014b50, 0);
  record.writeUInt16LE(VERSION, 4);
  record.writeUInt16LE(VERSION, 6);
  record.writeUInt32LE(WIDE, 42);
  return Buffer.concat([described(record, 8, crc, extra), NAME, extra]);
}

/** What both say of the entry, from its flags on. */
function described(header: Buffer, at: number, crc: number, extra: Buffer): Buffer {
  header.writeUInt16LE(DEFLATED, at + 2);
  header.writeUInt32LE(crc, at + 8);
  header.writeUInt32LE(WIDE, at + 12);
  header.writeUInt32LE(WIDE, at + 16);
  header.writeUInt16LE(NAME.length, at + 20);
  header.writeUInt16LE(extra.length, at + 22);
  return header;
}

function wideField(...numbers: readonly number[]): Buffer {
  const data = Buffer.alloc(8 * numbers.length);
  for (const [i, number] of numbers.entries()) data.writeBigUInt64LE(BigInt(number), 8 * i);
  return extraField(1, data);
}

/** CSV files of 1 to 16 MB in a tar, in a gzip. */
export function writeLargeTar(folder: string, inside: number, seed: number): LargeFile {
  const file = new LargeFile(join(folder, 'backup.tar.gz'));
  file.write(Buffer.from([0x1f, 0x8b, DEFLATED, 0, 0, 0, 0, 0, 0, 3]));
  let member: Block[] = [];
  let number = 0;
  for (const block of blocksOf(inside, seed)) {
    member.push(block);
    if (member.length <= number % MAX_MEMBER_BYTES) continue;
    writeMember(file, ++number, member);
    member = [];
  }
  if (member.length > 0) writeMember(file, ++number, member);
  file.deflated(blockOf(END));
  file.write(LAST_BLOCK);
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(file.crc, 0);
  trailer.writeUInt32LE(file.inside % 2 ** 32, 4);
  file.write(trailer);
  file.close();
  return file;
}

function writeMember(file: LargeFile, number: number, blocks: readonly Block[]): void {
  const size = blocks.reduce((sum, { text }) => sum + text.length, 0);
  const name = `exports/${String(number).padStart(6, '0')}.csv`;
  file.deflated(blockOf(tarPart({ name, size })));
  for (const block of blocks) file.deflated(block);
  file.deflated(blockOf(Buffer.alloc((TAR_BLOCK - (size % TAR_BLOCK)) % TAR_BLOCK)));
}
