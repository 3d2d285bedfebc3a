/** Writes xz files around LZMA2 data. */
import { crc32 } from 'node:zlib';
import { blockCheck } from './xz-check.ts';

export interface XzBlock {
  readonly data: Uint8Array;
  /** LZMA2. */
  readonly compressed: Uint8Array;
  /** Filters before LZMA2, as a header has them. */
  readonly filters?: readonly (readonly number[])[];
  /** The header contains the sizes. */
  readonly sized?: boolean;
  readonly dictionary?: number;
}

const LZMA2 = 0x21;

export function xzOf(blocks: readonly XzBlock[], check = 4): Buffer {
  const flags = Buffer.from([0, check]);
  const written = blocks.map((block) => writeBlock(block, check));
  const index = padded([0, ...number(blocks.length), ...written.flatMap(({ record }) => record)]);
  const summed = Buffer.concat([index, sum(index)]);
  const footer = Buffer.concat([le32(summed.length / 4 - 1), flags]);
  return Buffer.concat([
    Buffer.from('\xfd7zXZ\0', 'latin1'),
    flags,
    sum(flags),
    ...written.map(({ bytes }) => bytes),
    summed,
    sum(footer),
    footer,
    Buffer.from('YZ'),
  ]);
}

function writeBlock({ data, compressed, filters = [], sized, dictionary = 22 }: XzBlock, kind: number) {
  const check = blockCheck(kind);
  check.update(data);
  const digest = check.digest() ?? Buffer.alloc(check.size);
  const sizes = sized === true ? [...number(compressed.length), ...number(data.length)] : [];
  const fields = [
    filters.length | (sized === true ? 0xc0 : 0),
    ...sizes,
    ...filters.flat(),
    LZMA2,
    1,
    dictionary,
  ];
  const length = 4 * Math.ceil((fields.length + 1) / 4);
  const header = padded([length / 4, ...fields]);
  const bytes = Buffer.concat([header, sum(header), padded(compressed), digest]);
  return {
    bytes,
    record: [...number(header.length + 4 + compressed.length + check.size), ...number(data.length)],
  };
}

/** Seven bits at a time, the lowest first. */
export function number(value: number): number[] {
  return value < 0x80 ? [value] : [(value % 0x80) | 0x80, ...number(Math.floor(value / 0x80))];
}

function padded(bytes: readonly number[] | Uint8Array): Buffer {
  return Buffer.concat([Buffer.from(bytes), Buffer.alloc((4 - (bytes.length % 4)) % 4)]);
}

const sum = (bytes: Uint8Array): Buffer => le32(crc32(bytes));

function le32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
