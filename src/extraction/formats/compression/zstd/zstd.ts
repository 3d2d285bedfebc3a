import { createZstdDecompress, zstdDecompressSync } from 'node:zlib';
import type { WindowMemory } from '../../../budget/window-memory.ts';
import { CorruptInput } from '../../../extraction-error.ts';
import type { ByteQueue } from '../../byte-queue.ts';
import { CHUNK_SIZE, inflate } from '../deflate/inflation.ts';
import { inflateShort, joined, SHORT, SHORT_OPTIONS, zlibResult } from '../short-members.ts';
import { MAX_HEADER_LENGTH, windowOf } from './zstd-header.ts';

const FRAME = 0xfd2fb528;
const SKIPPABLE = 0x184d2a5;

/** Frames one after another. The engine reads one frame and silently stops, so each gets an engine of its own. */
export function unzstd(queue: ByteQueue, windows: WindowMemory): AsyncGenerator<Uint8Array> {
  return joined(frames(queue, windows));
}

/** One frame, or what the engine accepts as one, and nothing after it. `what`: the data, for error messages. */
export async function* unzstdFrame(
  queue: ByteQueue,
  what: string,
  windows: WindowMemory,
): AsyncGenerator<Uint8Array> {
  const head = await queue.take(MAX_HEADER_LENGTH);
  const max = windowOf(head);
  queue.unread(head.length);
  const bytes = windows.createWindow();
  let out = 0;
  try {
    for await (const piece of inflate(createZstdDecompress({ chunkSize: CHUNK_SIZE }), queue, what)) {
      yield piece;
      out += piece.length;
      await bytes.cover(out, max);
    }
  } finally {
    bytes.release();
  }
}

async function* frames(queue: ByteQueue, windows: WindowMemory): AsyncGenerator<Uint8Array> {
  let short = false; // the last frame
  for (let first = true; ; first = false) {
    const start = await queue.take(4);
    if (start.length === 0) return;
    const magic = start.length < 4 ? 0 : new DataView(start.buffer, start.byteOffset).getUint32(0, true);
    if (magic >>> 4 === SKIPPABLE) {
      await skipFrame(queue);
    } else if (magic === FRAME) {
      queue.unread(4);
      const from = queue.taken;
      const whole = short
        ? await inflateShort(queue, (bytes) => zstdDecompressSync(bytes, SHORT_OPTIONS))
        : null;
      if (whole === null) yield* unzstdFrame(queue, 'zstd data', windows);
      else if (whole.length > 0) yield whole;
      short = queue.taken - from < SHORT;
    } else {
      throw new CorruptInput(first ? 'zstd data' : 'data after zstd');
    }
  }
}

async function skipFrame(queue: ByteQueue): Promise<void> {
  const size = await queue.take(4);
  if (size.length < 4) throw new CorruptInput('truncated zstd data');
  let left = new DataView(size.buffer, size.byteOffset).getUint32(0, true);
  while (left > 0) {
    const skipped = await queue.take(Math.min(left, 64 * 1024));
    if (skipped.length === 0) throw new CorruptInput('truncated zstd data');
    left -= skipped.length;
  }
}

/** null: too long, several frames, damaged: not for the synchronous path. */
export function unzstdBuffer(bytes: Uint8Array, maxOutputLength: number): Uint8Array | null {
  try {
    const { buffer, engine } = zlibResult(zstdDecompressSync(bytes, { maxOutputLength, info: true }));
    return engine.bytesWritten === bytes.length ? buffer : null;
  } catch {
    return null;
  }
}
