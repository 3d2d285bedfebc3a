import { Damage, Limit, Unsupported } from '../../../obstacle.ts';
import type { WindowMemory } from '../../../window-memory.ts';
import type { ByteQueue } from '../../byte-queue.ts';
import { MOST_WINDOW } from '../lzma-memory.ts';
import { MOST_ORDER } from './contexts-h.ts';
import { LONGEST_SYMBOL, MOST_INPUT, PpmdBytes, PpmdDecoder } from './decoder.ts';
import { PpmdModel } from './model-h.ts';
import { PpmdModelI } from './model-i.ts';
import { CarrylessCoder, SevenZipCoder } from './range-coders.ts';

const LEAST_ORDER = 2;
const LEAST_MEMORY = 2 ** 11;
const MEGABYTE = 2 ** 20;
const CUT_OFF = 1;

export interface PpmdStream {
  readonly order: number;
  /** Bytes of the model. What of it nobody touches takes no memory. */
  readonly memory: number;
  readonly size: number;
}

/** PPMd, variant H, as 7z has it. */
export async function* unppmd(
  queue: ByteQueue,
  { order, memory, size }: PpmdStream,
  windows: WindowMemory,
): AsyncGenerator<Uint8Array> {
  if (order < LEAST_ORDER || order > MOST_ORDER || memory < LEAST_MEMORY) throw new Damage('ppmd data');
  if (memory > MOST_WINDOW) throw new Limit('dictionary');
  const start = viewOf(await queue.take(5), 5);
  if (start.getUint8(0) !== 0) throw new Damage('ppmd data');
  const input = new PpmdBytes();
  const coder = new SevenZipCoder(input, start.getUint32(1));
  const model = new PpmdModel(order, memory);
  yield* symbols(queue, input, new PpmdDecoder(model, coder, input), size, windows);
}

/** PPMd, variant I, as zip has it: two bytes tell order, memory, and what is done when that is full. */
export async function* unppmdInZip(
  queue: ByteQueue,
  size: number,
  windows: WindowMemory,
): AsyncGenerator<Uint8Array> {
  const properties = viewOf(await queue.take(2), 2).getUint16(0, true);
  const order = (properties & 15) + 1;
  const memory = (((properties >> 4) & 255) + 1) * MEGABYTE;
  const method = properties >> 12;
  if (order < LEAST_ORDER) throw new Damage('ppmd data');
  if (method > CUT_OFF) throw new Unsupported('compression method in zip');
  const code = viewOf(await queue.take(4), 4).getUint32(0);
  const input = new PpmdBytes();
  const model = new PpmdModelI(order, memory, method === CUT_OFF);
  yield* symbols(queue, input, new PpmdDecoder(model, new CarrylessCoder(input, code), input), size, windows);
}

/** Symbols are decoded as long as the longest one is wholly at hand; the last ones may need bytes that are missing. */
async function* symbols(
  queue: ByteQueue,
  input: PpmdBytes,
  decoder: PpmdDecoder,
  size: number,
  windows: WindowMemory,
): AsyncGenerator<Uint8Array> {
  const window = windows.window();
  try {
    for (let left = size; left > 0; ) {
      const bytes = await queue.take(MOST_INPUT);
      const { length } = bytes;
      const last = length < MOST_INPUT ? length : length - LONGEST_SYMBOL;
      input.feed(bytes);
      while (input.at <= last && left > 0) {
        const piece = decoder.decode(last, left);
        left -= piece.length;
        if (piece.length > 0) yield piece;
        if (decoder.failure !== null) throw new Damage(decoder.failure);
        await window.cover(decoder.memory.touched, decoder.memory.size);
      }
      queue.giveBack(length - input.at);
    }
  } finally {
    decoder.close();
    window.release();
  }
}

function viewOf(bytes: Uint8Array, length: number): DataView {
  if (bytes.length < length) throw new Damage('truncated ppmd data');
  return new DataView(bytes.buffer, bytes.byteOffset, length);
}
