/**
 * Format: there is no official specification; "BZIP2: Format Specification" (J. Tsai, 2016) describes it, and decompress.c of bzip2
 * 1.0.8 decides.
 *
 * No library: node:zlib has no bzip2, and native add-ons are ruled out. Blocks are decoded one at a time, so memory is bounded by a
 * block and the blocks before damage are kept.
 */
import { CorruptInput } from '../../../extraction-error.ts';
import type { ByteQueue } from '../../byte-queue.ts';
import { BitReader, crcOf } from './bzip2-bits.ts';
import { BlockDecoder } from './bzip2-block.ts';

const BLOCK_START = [0x314159, 0x265359];
const STREAM_END = [0x177245, 0x385090];

/** Codes have at most 20 bits, a block `level` × 100,000 symbols, and the tables before them fit in the rest. */
const longestBlock = (level: number): number => level * 250_000 + 128 * 1024;

/**
 * bzip2, with concatenated streams. The end of a block is known only after decoding it, so each is decoded when the longest possible one
 * is buffered: the decoder then never has to wait in the middle of a bit.
 */
export async function* bunzip2(queue: ByteQueue): AsyncGenerator<Uint8Array> {
  for (let first = true; ; first = false) {
    const start = await queue.take(4);
    if (start.length === 0 && !first) return;
    const level = levelOf(start);
    if (level === 0) throw new CorruptInput(first ? 'bzip2 data' : 'data after bzip2');
    yield* streamOf(queue, level);
  }
}

/** One stream; nothing after it is consumed. */
export async function* bunzip2Stream(queue: ByteQueue): AsyncGenerator<Uint8Array> {
  const level = levelOf(await queue.take(4));
  if (level === 0) throw new CorruptInput('bzip2 data');
  yield* streamOf(queue, level);
}

function levelOf([b, z, h, digit]: Uint8Array): number {
  const level = (digit ?? 0) - 0x30;
  return b === 0x42 && z === 0x5a && h === 0x68 && level >= 1 && level <= 9 ? level : 0;
}

async function* streamOf(queue: ByteQueue, level: number): AsyncGenerator<Uint8Array> {
  const decoder = new BlockDecoder(level);
  let combined = 0;
  for (let used = 0; ; ) {
    const bytes = await queue.take(longestBlock(level));
    const bits = new BitReader(bytes, used);
    const mark = [bits.bits(24), bits.bits(24)];
    const expected = bits.word();
    const ended = isMark(mark, STREAM_END);
    if (!ended && !isMark(mark, BLOCK_START)) throw new CorruptInput('bzip2 data');
    const chunks = ended ? [] : decoder.decode(bits);
    // A block may end within a byte; that byte is taken again. A stream is filled up to a whole byte.
    used = ended ? 0 : bits.position % 8;
    queue.unread(bytes.length - (ended ? Math.ceil(bits.position / 8) : (bits.position - used) / 8));
    if (ended && expected !== combined >>> 0) throw new CorruptInput('bzip2 checksum');
    if (ended) return;
    let crc = -1;
    for (const chunk of chunks) {
      crc = crcOf(chunk, crc);
      yield chunk;
    }
    if (~crc >>> 0 !== expected) throw new CorruptInput('bzip2 checksum');
    combined = ((combined << 1) | (combined >>> 31)) ^ expected;
  }
}

function isMark(mark: readonly number[], wanted: readonly number[]): boolean {
  return mark[0] === wanted[0] && mark[1] === wanted[1];
}
