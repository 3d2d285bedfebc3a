/** Writes zip archives, the wrong ones included. */
import { crc32, deflateRawSync } from 'node:zlib';

export interface ZipPart {
  readonly name: string | Uint8Array;
  readonly data?: Uint8Array | string;
  /** 0 stored, 8 deflated; anything else: `packed` as it is. */
  readonly method?: number;
  readonly compressed?: Uint8Array;
  readonly flags?: number;
  readonly crc?: number;
  readonly size?: number;
  readonly extra?: Uint8Array;
  /** Only in the central directory. */
  readonly directoryExtra?: Uint8Array;
  readonly directoryName?: string;
  /** Writes sizes and checksum after the data. */
  readonly descriptor?: 'signed' | 'bare' | 'wide' | 'wide bare';
  /** The header contains the sizes nevertheless, but not the checksum. */
  readonly early?: 'sizes';
  readonly comment?: string;
  /** Writes numbers to the zip64 extra field. */
  readonly zip64?: boolean;
  /** The offset in the end record, instead of the real one. */
  readonly offset?: number;
}

export interface ZipShape {
  readonly before?: Uint8Array;
  readonly gap?: Uint8Array;
  readonly comment?: string;
  readonly count?: number;
  readonly zip64?: boolean;
}

export function zipOf(parts: readonly ZipPart[], shape: ZipShape = {}): Buffer {
  const written: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const part of parts) {
    const { local, record } = writePart(part, at);
    written.push(local);
    directory.push(record);
    at += local.length;
  }
  const gap = Buffer.from(shape.gap ?? []);
  const records = Buffer.concat(directory);
  const end = writeEnd(shape.count ?? parts.length, records.length, at + gap.length, shape);
  return Buffer.concat([shape.before ?? Buffer.alloc(0), ...written, gap, records, end]);
}

export function writePart(part: ZipPart, offset: number): { local: Buffer; record: Buffer } {
  const { method = 8, descriptor, zip64 = false } = part;
  const data = Buffer.from(part.data ?? '');
  const compressed = part.compressed ?? (method === 8 ? deflateRawSync(data) : data);
  const sums = {
    crc: part.crc ?? crc32(data),
    compressedSize: compressed.length,
    size: part.size ?? data.length,
  };
  const flags = (part.flags ?? 0) | (descriptor === undefined ? 0 : 8);
  const name = Buffer.from(part.name as string);
  const late = descriptor !== undefined;
  const lateSums = part.early === 'sizes' ? { ...sums, crc: 0 } : { crc: 0, compressedSize: 0, size: 0 };
  const common = { method, flags, zip64 };
  const local = header(0x04034b50, { ...common, ...(late ? lateSums : sums) }, [20]);
  const localExtra = Buffer.concat([
    zip64 ? wideField([sums.size, sums.compressedSize]) : Buffer.alloc(0),
    part.extra ?? Buffer.alloc(0),
  ]);
  const record = header(0x02014b50, { ...common, ...sums }, [20, 20]);
  const place = part.offset ?? offset;
  const recordName = Buffer.from(part.directoryName ?? name);
  const recordExtra = Buffer.concat([
    zip64 ? wideField([sums.size, sums.compressedSize, place]) : Buffer.alloc(0),
    part.directoryExtra ?? part.extra ?? Buffer.alloc(0),
  ]);
  const comment = Buffer.from(part.comment ?? '');
  const tail = Buffer.alloc(14);
  tail.writeUInt16LE(comment.length, 0);
  tail.writeUInt32LE(zip64 ? 0xffffffff : place, 10);
  return {
    local: Buffer.concat([
      local,
      lengths(name, localExtra),
      name,
      localExtra,
      compressed,
      late ? descriptorOf(descriptor, sums) : Buffer.alloc(0),
    ]),
    record: Buffer.concat([record, lengths(recordName, recordExtra), tail, recordName, recordExtra, comment]),
  };
}

interface Sums {
  readonly crc: number;
  readonly compressedSize: number;
  readonly size: number;
}

function header(
  signature: number,
  {
    flags,
    method,
    crc,
    compressedSize,
    size,
    zip64,
  }: Sums & { flags: number; method: number; zip64: boolean },
  versions: readonly number[],
): Buffer {
  const bytes = Buffer.alloc(4 + 2 * versions.length + 20);
  let at = bytes.writeUInt32LE(signature, 0);
  for (const version of versions) at = bytes.writeUInt16LE(version, at);
  at = bytes.writeUInt16LE(flags, at);
  at = bytes.writeUInt16LE(method, at);
  at = bytes.writeUInt32LE(crc, at + 4);
  at = bytes.writeUInt32LE(zip64 ? 0xffffffff : compressedSize, at);
  bytes.writeUInt32LE(zip64 ? 0xffffffff : size, at);
  return bytes;
}

function lengths(name: Uint8Array, extra: Uint8Array): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt16LE(name.length, 0);
  bytes.writeUInt16LE(extra.length, 2);
  return bytes;
}

export function extraField(id: number, data: Uint8Array): Buffer {
  const head = Buffer.alloc(4);
  head.writeUInt16LE(id, 0);
  head.writeUInt16LE(data.length, 2);
  return Buffer.concat([head, data]);
}

function wideField(numbers: readonly number[]): Buffer {
  const data = Buffer.alloc(8 * numbers.length);
  for (const [i, number] of numbers.entries()) data.writeBigUInt64LE(BigInt(number), 8 * i);
  return extraField(1, data);
}

function descriptorOf(kind: NonNullable<ZipPart['descriptor']>, { crc, compressedSize, size }: Sums): Buffer {
  const wide = kind.startsWith('wide');
  const bytes = Buffer.alloc(wide ? 24 : 16);
  bytes.writeUInt32LE(0x08074b50, 0);
  bytes.writeUInt32LE(crc, 4);
  bytes.writeUInt32LE(compressedSize, 8);
  bytes.writeUInt32LE(size, wide ? 16 : 12);
  return kind.endsWith('bare') ? bytes.subarray(4) : bytes;
}

export function writeEnd(
  count: number,
  size: number,
  offset: number,
  { zip64 = false, comment = '' }: ZipShape,
): Buffer {
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(zip64 ? 0xffff : count & 0xffff, 8);
  end.writeUInt16LE(zip64 ? 0xffff : count & 0xffff, 10);
  end.writeUInt32LE(zip64 ? 0xffffffff : size, 12);
  end.writeUInt32LE(zip64 ? 0xffffffff : offset, 16);
  end.writeUInt16LE(comment.length, 20);
  const last = [end, Buffer.from(comment)];
  return Buffer.concat(zip64 ? [writeEnd64(count, size, offset), ...last] : last);
}

function writeEnd64(count: number, size: number, offset: number): Buffer {
  const bytes = Buffer.alloc(56 + 20);
  bytes.writeUInt32LE(0x06064b50, 0);
  bytes.writeUInt32LE(44, 4);
  for (const [i, number] of [count, count, size, offset].entries())
    bytes.writeBigUInt64LE(BigInt(number), 24 + 8 * i);
  bytes.writeUInt32LE(0x07064b50, 56);
  bytes.writeBigUInt64LE(BigInt(offset + size), 64);
  bytes.writeUInt32LE(1, 72);
  return bytes;
}
