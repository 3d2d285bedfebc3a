/**
 * PPMd, variant H (7z) and variant I revision 1 (zip).
 *
 * Format: no specification exists; Ppmd7.c and Ppmd8.c of the LZMA SDK define the streams, APPNOTE.TXT 6.3.10, section 5.10, the
 * header in zip.
 *
 * No library: node:zlib has no PPMd, and the model of up to 256 MB must count against the memory limit of the object (WindowMemory).
 */
import type { WindowMemory } from '../../../budget/window-memory.ts';
import { CorruptInput, LimitExceeded, Unsupported } from '../../../extraction-error.ts';
import type { ByteQueue } from '../../byte-queue.ts';
import { MAX_WINDOW } from '../lzma/lzma-memory.ts';
import { MAX_ORDER } from './contexts-h.ts';
import { MAX_INPUT, MAX_SYMBOL_LENGTH, PpmdBytes, PpmdDecoder } from './decoder.ts';
import { PpmdModel } from './model-h.ts';
import { PpmdModelI } from './model-i.ts';
import { CarrylessCoder, SevenZipCoder } from './range-coders.ts';

const MIN_ORDER = 2;
const MIN_MEMORY = 2 ** 11;
const MEGABYTE = 2 ** 20;
const CUT_OFF = 1;

export interface PpmdStream {
  readonly order: number;
  /** Bytes of the model. Untouched pages take no memory. */
  readonly memory: number;
  readonly size: number;
}

/** PPMd, variant H, as in 7z. */
export async function* unppmd(
  queue: ByteQueue,
  { order, memory, size }: PpmdStream,
  windows: WindowMemory,
): AsyncGenerator<Uint8Array> {
  if (order < MIN_ORDER || order > MAX_ORDER || memory < MIN_MEMORY) throw new CorruptInput('ppmd data');
  if (memory > MAX_WINDOW) throw new LimitExceeded('dictionary');
  const start = viewOf(await queue.take(5), 5);
  if (start.getUint8(0) !== 0) throw new CorruptInput('ppmd data');
  const input = new PpmdBytes();
  const coder = new SevenZipCoder(input, start.getUint32(1));
  const model = new PpmdModel(order, memory);
  yield* symbols(queue, input, new PpmdDecoder(model, coder, input), size, windows);
}

/** PPMd variant I, as in zip (APPNOTE, method 98): two bytes specify order, memory, and the restoration method. */
export async function* unppmdInZip(
  queue: ByteQueue,
  size: number,
  windows: WindowMemory,
): AsyncGenerator<Uint8Array> {
  const properties = viewOf(await queue.take(2), 2).getUint16(0, true);
  const order = (properties & 15) + 1;
  const memory = (((properties >> 4) & 255) + 1) * MEGABYTE;
  const method = properties >> 12;
  if (order < MIN_ORDER) throw new CorruptInput('ppmd data');
  if (method > CUT_OFF) throw new Unsupported('compression method in zip');
  const code = viewOf(await queue.take(4), 4).getUint32(0);
  const input = new PpmdBytes();
  const model = new PpmdModelI(order, memory, method === CUT_OFF);
  yield* symbols(queue, input, new PpmdDecoder(model, new CarrylessCoder(input, code), input), size, windows);
}

/** Symbols are decoded as long as the longest possible one is buffered; the last ones may need missing bytes. */
async function* symbols(
  queue: ByteQueue,
  input: PpmdBytes,
  decoder: PpmdDecoder,
  size: number,
  windows: WindowMemory,
): AsyncGenerator<Uint8Array> {
  const window = windows.createWindow();
  try {
    for (let left = size; left > 0; ) {
      const bytes = await queue.take(MAX_INPUT);
      const { length } = bytes;
      const last = length < MAX_INPUT ? length : length - MAX_SYMBOL_LENGTH;
      input.feed(bytes);
      while (input.at <= last && left > 0) {
        const chunk = decoder.decode(last, left);
        left -= chunk.length;
        if (chunk.length > 0) yield chunk;
        if (decoder.failure !== null) throw new CorruptInput(decoder.failure);
        await window.cover(decoder.memory.touched, decoder.memory.size);
      }
      queue.unread(length - input.at);
    }
  } finally {
    decoder.close();
    window.release();
  }
}

function viewOf(bytes: Uint8Array, length: number): DataView {
  if (bytes.length < length) throw new CorruptInput('truncated ppmd data');
  return new DataView(bytes.buffer, bytes.byteOffset, length);
}
