import { crc32, createInflateRaw, inflateRawSync } from 'node:zlib';
import type { ExtractionBudget } from '../../budget/extraction-budget.ts';
import type { WindowMemory } from '../../budget/window-memory.ts';
import { CorruptInput, Encrypted, Unsupported } from '../../extraction-error.ts';
import type { ByteQueue } from '../../formats/byte-queue.ts';
import { bunzip2, bunzip2Stream } from '../../formats/compression/bzip2/bzip2.ts';
import { inflate64 } from '../../formats/compression/deflate/deflate64.ts';
import { CHUNK_SIZE, inflate } from '../../formats/compression/deflate/inflation.ts';
import { decodeLzma } from '../../formats/compression/lzma/lzma.ts';
import { unppmdInZip } from '../../formats/compression/ppmd/ppmd.ts';
import { zlibResult } from '../../formats/compression/short-members.ts';
import { unxz, unxzStream } from '../../formats/compression/xz/xz.ts';
import { unzstd, unzstdFrame } from '../../formats/compression/zstd/zstd.ts';
import { ENCRYPTED, HAS_DESCRIPTOR } from './zip-fields.ts';

export const STORED = 0;
const DEFLATED = 8;
const DEFLATED64 = 9;
const BZIP2 = 12;
const LZMA = 14;
const OLD_ZSTD = 20;
const ZSTD = 93;
const XZ = 95;
const PPMD = 98;
const AES = 99;

const HAS_MARKER = 2; // a flag of entries in LZMA

/** An engine for each of many small entries would cost more than their bytes: they are inflated at once. */
const SMALL_PACKED = 64 * 1024;
const SMALL = 1024 * 1024;
const MIN_CHUNK = 16 * 1024;

export interface Packed {
  readonly method: number;
  readonly flags: number;
  readonly crc: number;
  readonly size: number;
  readonly compressedSize: number;
}

export interface Sums {
  readonly crc: number;
  readonly size: number;
}

/** How the end of an entry is determined: by the queue's end, or by its own data. */
type End = 'queue' | 'data';

/** Unpacks an entry up to the queue's end. Yields all the output, even if it exceeds the size in the headers. */
export async function* unpackEntry(
  entry: Packed,
  queue: ByteQueue,
  budget: ExtractionBudget,
): AsyncGenerator<Uint8Array> {
  const sums = yield* unpack(entry, 'queue', queue, budget);
  if (sums.size !== entry.size || sums.crc !== entry.crc) throw new CorruptInput('zip checksum');
}

/** Like `unpackEntry`, without checksum test, and for entries whose end only their data determines. */
export function unpack(
  entry: Packed,
  end: End,
  queue: ByteQueue,
  budget: ExtractionBudget,
): AsyncGenerator<Uint8Array, Sums> {
  return counted(decode(entry, queue, end, budget.windows), queue, budget);
}

/** Why an entry's bytes can't be had. */
export function refusalOf({ method, flags, compressedSize }: Packed): Encrypted | Unsupported | null {
  if (flags & ENCRYPTED || method === AES) return new Encrypted();
  // It has no end of its own.
  const isEndless = method === PPMD && (flags & HAS_DESCRIPTOR) !== 0 && compressedSize === 0;
  return READABLE.has(method) && !isEndless ? null : new Unsupported('compression method in zip');
}

const READABLE: ReadonlySet<number> = new Set([
  PPMD,
  STORED,
  DEFLATED,
  DEFLATED64,
  BZIP2,
  LZMA,
  OLD_ZSTD,
  ZSTD,
  XZ,
]);

export async function* counted(
  chunks: AsyncIterable<Uint8Array>,
  queue: ByteQueue,
  budget: ExtractionBudget,
): AsyncGenerator<Uint8Array, Sums> {
  const start = queue.taken;
  let crc = 0;
  let size = 0;
  for await (const chunk of chunks) {
    crc = crc32(chunk, crc);
    size += chunk.length;
    budget.countDecompressed(chunk.length);
    budget.checkRatio(size, queue.taken - start);
    yield chunk;
  }
  return { crc, size };
}

async function* decode(
  entry: Packed,
  queue: ByteQueue,
  end: End,
  windows: WindowMemory,
): AsyncGenerator<Uint8Array> {
  const refusal = refusalOf(entry);
  if (refusal !== null) throw refusal;
  switch (entry.method) {
    case DEFLATED:
      return yield* inflateEntry(entry, queue, end);
    case DEFLATED64:
      return yield* inflate64(queue);
    case BZIP2:
      return yield* end === 'queue' ? bunzip2(queue) : bunzip2Stream(queue);
    case LZMA:
      return yield* unlzmaEntry(entry, queue, end, windows);
    case PPMD:
      return yield* unppmdInZip(queue, entry.size, windows);
    case XZ:
      return yield* end === 'queue' ? unxz(queue, windows) : unxzStream(queue, windows);
    case ZSTD:
    case OLD_ZSTD:
      return yield* end === 'queue' ? unzstd(queue, windows) : unzstdFrame(queue, 'zstd data', windows);
    default:
      return yield* allOf(queue, entry.compressedSize);
  }
}

async function* allOf(queue: ByteQueue, size: number): AsyncGenerator<Uint8Array> {
  for (let left = size; left > 0; ) {
    const bytes = await queue.take(Math.min(left, CHUNK_SIZE));
    if (bytes.length === 0) throw new CorruptInput('truncated zip entry');
    left -= bytes.length;
    yield bytes;
  }
}

async function* inflateEntry(
  { compressedSize, size }: Packed,
  queue: ByteQueue,
  end: End,
): AsyncGenerator<Uint8Array> {
  if (end === 'data' || (compressedSize <= SMALL_PACKED && size <= SMALL)) {
    const bytes = await queue.take(SMALL_PACKED);
    const small = inflateSmall(bytes, size);
    queue.unread(bytes.length - (small?.taken ?? 0));
    if (small !== null) return yield small.out;
  }
  yield* inflate(createInflateRaw({ chunkSize: CHUNK_SIZE }), queue, 'zip entry');
}

/**
 * Returns null if the output is longer or the data damaged; the streaming engine then yields what precedes the damage. The size in the
 * header only determines the initial buffer, with one byte more, because zlib would allocate another one when the buffer is full.
 */
function inflateSmall(bytes: Uint8Array, size: number): { out: Uint8Array; taken: number } | null {
  const chunkSize = Math.min(SMALL, Math.max(MIN_CHUNK, size + 1));
  const options = { chunkSize, maxOutputLength: SMALL, info: true };
  try {
    const { buffer, engine } = zlibResult(inflateRawSync(bytes, options));
    return { out: buffer, taken: engine.bytesWritten };
  } catch {
    return null;
  }
}

/** A version, the length of the properties, and the properties as everywhere. */
async function* unlzmaEntry(
  { flags, size }: Packed,
  queue: ByteQueue,
  end: End,
  windows: WindowMemory,
): AsyncGenerator<Uint8Array> {
  const head = await queue.take(9);
  if (head.length < 9) throw new CorruptInput('truncated zip entry');
  const view = new DataView(head.buffer, head.byteOffset);
  if (view.getUint16(2, true) !== 5) throw new CorruptInput('zip entry');
  const marked = flags & HAS_MARKER || end === 'data';
  const [properties, dictionary] = [view.getUint8(4), view.getUint32(5, true)];
  yield* decodeLzma(queue, { properties, dictionary, size: marked ? null : size }, windows);
}
