/**
 * LZMA2: LZMA in chunks with state resets between them.
 *
 * Format: "The .xz File Format" 1.2.1, section 5.3.1, defines the filter; the chunks are described by Lzma2Dec.c of the LZMA SDK. For
 * the reason why no library is used see lzma-decoder.ts.
 */
import type { WindowMemory } from '../../../budget/window-memory.ts';
import { CorruptInput } from '../../../extraction-error.ts';
import type { ByteQueue } from '../../byte-queue.ts';
import { LzmaDecoder } from './lzma-decoder.ts';

const END = 0;
const STORED_ANEW = 1;
const STORED = 2;
const PACKED = 0x80;

/** What a compressed chunk resets: two bits of its first byte. */
const NEW_STATE = 1;
const NEW_PROPERTIES = 2;
const NEW_DICTIONARY = 3;

const MAX_LITERAL_BITS = 4;

/** LZMA in chunks of at most 64 KB, each decoded when it is completely buffered. */
export async function* unlzma2(
  queue: ByteQueue,
  dictionary: number,
  windows: WindowMemory,
): AsyncGenerator<Uint8Array> {
  const decoder = new LzmaDecoder(dictionary, windows);
  try {
    yield* chunks(queue, decoder);
  } finally {
    decoder.close();
  }
}

/** Powers of two and one and a half of them, counted from 4 KB. */
export function dictionarySize(code: number): number {
  if (code > 40) throw new CorruptInput('lzma data');
  return code === 40 ? 2 ** 32 - 1 : (2 | (code & 1)) * 2 ** ((code >> 1) + 11);
}

async function* chunks(queue: ByteQueue, decoder: LzmaDecoder): AsyncGenerator<Uint8Array> {
  for (let needed = NEW_DICTIONARY; ; ) {
    const control = (await takeAll(queue, 1))[0]!;
    if (control === END) return;
    const renewed = renewedBy(control);
    if (renewed < needed) throw new CorruptInput('lzma data');
    if (renewed === NEW_DICTIONARY) decoder.resetWindow();
    if (control < PACKED) {
      if (renewed === NEW_DICTIONARY) needed = NEW_PROPERTIES;
      yield* storedChunk(queue, decoder);
    } else {
      needed = 0;
      yield* packedChunk(queue, control, decoder);
    }
  }
}

/** Stored chunks need no properties, only an initial dictionary reset. */
function renewedBy(control: number): number {
  if (control >= PACKED) return (control >> 5) & 3;
  if (control > STORED) throw new CorruptInput('lzma data');
  return control === STORED_ANEW ? NEW_DICTIONARY : NEW_PROPERTIES;
}

async function* storedChunk(queue: ByteQueue, decoder: LzmaDecoder): AsyncGenerator<Uint8Array> {
  const [high, low] = await takeAll(queue, 2);
  const bytes = await takeAll(queue, ((high! << 8) | low!) + 1);
  for (let done = 0; done < bytes.length; ) {
    const part = await decoder.store(bytes.subarray(done));
    done += part.length;
    yield part;
  }
}

async function* packedChunk(
  queue: ByteQueue,
  control: number,
  decoder: LzmaDecoder,
): AsyncGenerator<Uint8Array> {
  const [high, low, packedHigh, packedLow] = await takeAll(queue, 4);
  const renewed = renewedBy(control);
  if (renewed >= NEW_PROPERTIES) decoder.configure(allowed((await takeAll(queue, 1))[0]!));
  else if (renewed === NEW_STATE) decoder.reset();
  const bytes = await takeAll(queue, ((packedHigh! << 8) | packedLow!) + 1);
  decoder.start(bytes);
  decoder.feed(bytes.subarray(5));
  const size = bytes.length - 5;
  for (let left = (((control & 31) << 16) | (high! << 8) | low!) + 1; left > 0; ) {
    const chunk = await decoder.decode(size, left);
    if (decoder.at > size || decoder.ended) throw new CorruptInput('lzma data');
    left -= chunk.length;
    yield chunk;
  }
  if (decoder.at !== size || !decoder.finished) throw new CorruptInput('lzma data');
}

/** Limits the bits that select the table of a literal: each chunk could otherwise reset megabytes. */
function allowed(properties: number): number {
  const chosenBy = (properties % 9) + (Math.floor(properties / 9) % 5);
  if (chosenBy > MAX_LITERAL_BITS) throw new CorruptInput('lzma data');
  return properties;
}

async function takeAll(queue: ByteQueue, count: number): Promise<Uint8Array> {
  const bytes = await queue.take(count);
  if (bytes.length < count) throw new CorruptInput('truncated lzma data');
  return bytes;
}
