/**
 * The .lzma container ("LZMA alone"), the format before xz.
 *
 * Format: lzma-file-format.txt of XZ Utils and lzma-specification.txt of the LZMA SDK.
 *
 * No library: node:zlib has no LZMA. For the decoder see lzma-decoder.ts.
 */
import type { WindowMemory } from '../../../budget/window-memory.ts';
import { CorruptInput } from '../../../extraction-error.ts';
import type { ByteQueue } from '../../byte-queue.ts';
import { LzmaDecoder } from './lzma-decoder.ts';
import { MAX_INPUT, MAX_SYMBOL_LENGTH } from './lzma-layout.ts';

const HEADER = 13;
const UNKNOWN = 0xffffffffffffffffn;

export interface LzmaStream {
  readonly properties: number;
  readonly dictionary: number;
  /** null: terminated by an end marker. A marker may follow even if the size is known. */
  readonly size: number | null;
}

/** Decompresses a .lzma file. */
export async function* unlzma(queue: ByteQueue, windows: WindowMemory): AsyncGenerator<Uint8Array> {
  const head = await queue.take(HEADER);
  if (head.length < HEADER) throw new CorruptInput('truncated lzma data');
  const view = new DataView(head.buffer, head.byteOffset);
  const size = view.getBigUint64(5, true);
  const [properties, dictionary] = [view.getUint8(0), view.getUint32(1, true)];
  const stream = { properties, dictionary, size: size === UNKNOWN ? null : Number(size) };
  yield* decodeLzma(queue, stream, windows);
  if ((await queue.take(1)).length > 0) throw new CorruptInput('data after lzma');
}

/**
 * The format has no magic number, so the name must match too. The header must have the usual properties, a dictionary size of 2^n or
 * 3·2^n, an unknown or a plausible size, and the range coder's first byte must be zero.
 */
export function looksLikeLzma(head: Uint8Array): boolean {
  if (head.length <= HEADER || head[0]! >= 225 || head[HEADER] !== 0) return false;
  const view = new DataView(head.buffer, head.byteOffset);
  const dictionary = view.getUint32(1, true);
  const size = view.getBigUint64(5, true);
  const round = dictionary >>> Math.max(0, 30 - Math.clz32(dictionary));
  const rest = dictionary & ((1 << Math.max(0, 30 - Math.clz32(dictionary))) - 1);
  return dictionary >= 4096 && round >= 2 && rest === 0 && (size === UNKNOWN || size < 1n << 38n);
}

/**
 * A stream of any length: symbols are decoded as long as the longest possible one is buffered. The last ones may depend on missing bytes,
 * so each chunk is then checked.
 */
export async function* decodeLzma(
  queue: ByteQueue,
  stream: LzmaStream,
  windows: WindowMemory,
): AsyncGenerator<Uint8Array> {
  const decoder = new LzmaDecoder(stream.dictionary, windows);
  try {
    decoder.configure(stream.properties);
    yield* symbols(queue, decoder, stream.size);
  } finally {
    decoder.close();
  }
}

async function* symbols(
  queue: ByteQueue,
  decoder: LzmaDecoder,
  size: number | null,
): AsyncGenerator<Uint8Array> {
  decoder.start(await queue.take(5));
  let left = size ?? Number.POSITIVE_INFINITY;
  while (left > 0 && !decoder.ended) {
    const bytes = await queue.take(MAX_INPUT);
    const safe = bytes.length - MAX_SYMBOL_LENGTH;
    decoder.feed(bytes);
    for (const last of bytes.length < MAX_INPUT ? [safe, bytes.length] : [safe]) {
      while (decoder.at <= last && left > 0 && !decoder.ended) {
        const chunk = await decoder.decode(last, left);
        if (decoder.at > bytes.length) throw new CorruptInput('truncated lzma data');
        left -= chunk.length;
        if (chunk.length > 0) yield chunk;
      }
    }
    queue.unread(bytes.length - decoder.at);
  }
  if (left === 0 && !decoder.finished) await readMarker(queue, decoder);
  if (!decoder.finished || (size !== null && left > 0)) throw new CorruptInput('lzma data');
}

async function readMarker(queue: ByteQueue, decoder: LzmaDecoder): Promise<void> {
  const bytes = await queue.take(MAX_SYMBOL_LENGTH);
  decoder.feed(bytes);
  await decoder.decode(bytes.length, 1);
  if (decoder.at > bytes.length) throw new CorruptInput('truncated lzma data');
  if (!decoder.ended) throw new CorruptInput('lzma data');
  queue.unread(bytes.length - decoder.at);
}
