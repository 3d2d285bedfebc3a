import type { WindowMemory } from '../../../budget/window-memory.ts';
import { CorruptInput, Unsupported } from '../../../extraction-error.ts';
import type { ByteQueue } from '../../byte-queue.ts';
import { branchFilter } from '../filters/branch-filters.ts';
import { DeltaFilter, type Filter, filtered } from '../filters/delta-x86-filters.ts';
import { dictionarySize, unlzma2 } from '../lzma/lzma2.ts';
import { blockCheck } from './xz-check.ts';
import { checkSum, NumberReader, takeXz } from './xz-fields.ts';
import type { Blocks } from './xz-index.ts';

const HAS_PACKED = 0x40;
const HAS_SIZE = 0x80;
const RESERVED = 0x3c;

const DELTA = 3;
const LZMA2 = 0x21;

interface BlockHeader {
  readonly compressedSize: number | null;
  readonly size: number | null;
  readonly dictionary: number;
  /** In the order in which they are undone. */
  readonly filters: readonly Filter[];
}

export interface BlockStart {
  /** The header's first one, which was taken already. */
  readonly sizeByte: number;
  readonly check: number;
}

export async function* readBlock(
  queue: ByteQueue,
  { sizeByte, check: checkKind }: BlockStart,
  blocks: Blocks,
  windows: WindowMemory,
): AsyncGenerator<Uint8Array> {
  queue.unread(1);
  const start = queue.taken;
  const header = readHeader(await takeXz(queue, 4 * (sizeByte + 1)));
  const data = queue.taken;
  const check = blockCheck(checkKind);
  let size = 0;
  for await (const chunk of decode(queue, header, windows)) {
    check.update(chunk);
    size += chunk.length;
    yield chunk;
  }
  const compressedSize = queue.taken - data;
  if ((header.compressedSize ?? compressedSize) !== compressedSize || (header.size ?? size) !== size)
    throw new CorruptInput('xz data');
  blocks.add(queue.taken - start + check.size, size);
  const padding = await takeXz(queue, (4 - (compressedSize % 4)) % 4);
  if (padding.some((byte) => byte !== 0)) throw new CorruptInput('xz data');
  const sum = await takeXz(queue, check.size);
  const digest = check.digest();
  if (digest !== null && Buffer.compare(digest, sum) !== 0) throw new CorruptInput('xz checksum');
}

function decode(
  queue: ByteQueue,
  { dictionary, filters }: BlockHeader,
  windows: WindowMemory,
): AsyncGenerator<Uint8Array> {
  return filters.reduce<AsyncGenerator<Uint8Array>>(filtered, unlzma2(queue, dictionary, windows));
}

function readHeader(bytes: Uint8Array): BlockHeader {
  const end = bytes.length - 4;
  checkSum(bytes.subarray(0, end), bytes.subarray(end));
  const fields = new NumberReader(bytes.subarray(0, end), 1);
  const flags = fields.byte();
  if (flags & RESERVED) throw new CorruptInput('xz data');
  const compressedSize = flags & HAS_PACKED ? fields.number() : null;
  const size = flags & HAS_SIZE ? fields.number() : null;
  const filters: Filter[] = [];
  for (let left = flags & 3; left > 0; left--) filters.unshift(readFilter(fields));
  return { compressedSize, size, dictionary: readDictionary(fields), filters };
}

function readFilter(fields: NumberReader): Filter {
  const id = fields.number();
  const length = fields.number();
  if (id === DELTA && length === 1) return new DeltaFilter(fields.byte() + 1);
  if (id === DELTA || id === LZMA2 || (length !== 0 && length !== 4)) throw new CorruptInput('xz data');
  const filter = branchFilter(id, length === 0 ? 0 : readStart(fields));
  if (filter === null) throw new Unsupported('filter in xz');
  return filter;
}

function readStart(fields: NumberReader): number {
  const [a, b, c, d] = [fields.byte(), fields.byte(), fields.byte(), fields.byte()];
  return (a | (b << 8) | (c << 16) | (d << 24)) >>> 0;
}

function readDictionary(fields: NumberReader): number {
  if (fields.number() !== LZMA2 || fields.number() !== 1) throw new CorruptInput('xz data');
  return dictionarySize(fields.byte());
}
