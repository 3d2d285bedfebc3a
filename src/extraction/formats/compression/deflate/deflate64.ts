/**
 * Format: RFC 1951 with the changes of method 9 (APPNOTE.TXT 6.3.10, section 4.4.5): a window of 64 KB, 32 distance codes, and length
 * code 285 with 16 extra bits, as in contrib/infback9 of zlib.
 *
 * No library: node:zlib does not expose zlib's inflateBack9.
 */
import { CorruptInput } from '../../../extraction-error.ts';
import type { ByteQueue } from '../../byte-queue.ts';
import { Deflate64Decoder, MAX_HEADER_LENGTH, MAX_INPUT, MAX_SYMBOL_LENGTH } from './deflate64-decoder.ts';

/**
 * Deflate64, which Windows uses for large zip entries. Reads to the end of the last block, and nothing after it. Symbols are decoded as
 * long as the longest possible one is buffered; the last ones are checked for reading missing bytes.
 */
export async function* inflate64(queue: ByteQueue): AsyncGenerator<Uint8Array> {
  const decoder = idle ?? new Deflate64Decoder();
  idle = null;
  try {
    yield* blocks(queue, decoder);
  } finally {
    decoder.reset();
    idle = decoder;
  }
}

/** Creating a decoder takes longer than unpacking a small file, so one is reused. */
let idle: Deflate64Decoder | null = null;

async function* blocks(queue: ByteQueue, decoder: Deflate64Decoder): AsyncGenerator<Uint8Array> {
  for (let used = 0; !decoder.ended; ) {
    const bytes = await queue.take(MAX_INPUT);
    const { length } = bytes;
    const isEnd = length < MAX_INPUT;
    decoder.feed(bytes, used);
    yield* chunks(decoder, length - MAX_SYMBOL_LENGTH, length - MAX_HEADER_LENGTH);
    if (isEnd) yield* lastPieces(decoder, length);
    if (decoder.at > 8 * length) throw new CorruptInput('truncated deflate64 data');
    // A symbol may end within a byte; that byte is taken again.
    used = decoder.ended ? 0 : decoder.at % 8;
    queue.unread(length - Math.ceil((decoder.at - used) / 8));
  }
}

function* chunks(decoder: Deflate64Decoder, last: number, lastHeader: number): Generator<Uint8Array> {
  for (let before = -1; !decoder.ended; ) {
    before = decoder.at;
    const chunk = decoder.decode(last, lastHeader);
    if (chunk.length > 0) yield chunk;
    else if (decoder.at === before) return;
  }
}

/** Output that depends on missing bytes is dropped, and reported. */
function* lastPieces(decoder: Deflate64Decoder, length: number): Generator<Uint8Array> {
  yield* chunks(decoder, length - MAX_SYMBOL_LENGTH, length);
  while (!decoder.ended) {
    const chunk = decoder.decode(length, length);
    if (decoder.at > 8 * length || (chunk.length === 0 && !decoder.ended))
      throw new CorruptInput('truncated deflate64 data');
    if (chunk.length > 0) yield chunk;
  }
}
