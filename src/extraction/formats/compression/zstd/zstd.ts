/**
 * Zstandard frames. node:zlib decompresses them; only headers and frame boundaries are parsed here.
 *
 * Format: RFC 8878, section 3.1.
 *
 * Parsed here because the engine reads one frame and silently ignores what follows, and because the window size must be known before
 * its memory is allocated.
 */
import { createZstdDecompress, zstdDecompressSync } from 'node:zlib';
import type { WindowMemory } from '../../../budget/window-memory.ts';
import { CorruptInput } from '../../../extraction-error.ts';
import type { ByteQueue } from '../../byte-queue.ts';
import { CHUNK_SIZE, inflate } from '../deflate/inflation.ts';
import { inflateShort, joined, SHORT, SHORT_OPTIONS, zlibResult } from '../short-members.ts';

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
    for await (const chunk of inflate(createZstdDecompress({ chunkSize: CHUNK_SIZE }), queue, what)) {
      yield chunk;
      out += chunk.length;
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

export const MAX_HEADER_LENGTH = 18;
/** The engine reads no frame with a larger one. */
const MAX_WINDOW_SIZE = 2 ** 27;

const IS_SINGLE = 0x20;
const DICTIONARY_ID_BYTES = [0, 1, 2, 4] as const;
const SIZE_BYTES = [0, 2, 4, 8] as const;

/** The window size of a frame (RFC 8878, 3.1.1.1). The maximum, if the header does not specify it. */
export function windowOf(head: Uint8Array): number {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  try {
    return view.getUint32(0, true) === FRAME ? Math.min(MAX_WINDOW_SIZE, frameWindow(view)) : MAX_WINDOW_SIZE;
  } catch {
    return MAX_WINDOW_SIZE; // the header is truncated, which the engine will report
  }
}

function frameWindow(view: DataView): number {
  const descriptor = view.getUint8(4);
  const isSingle = (descriptor & IS_SINGLE) !== 0;
  const window = isSingle ? Number.POSITIVE_INFINITY : windowSize(view.getUint8(5));
  const at = (isSingle ? 5 : 6) + DICTIONARY_ID_BYTES[(descriptor & 3) as 0 | 1 | 2 | 3];
  const bytes = SIZE_BYTES[(descriptor >> 6) as 0 | 1 | 2 | 3];
  return Math.min(window, contentSize(view, at, bytes === 0 && isSingle ? 1 : bytes));
}

function windowSize(code: number): number {
  const base = 2 ** (10 + (code >> 3));
  return base + (base / 8) * (code & 7);
}

function contentSize(view: DataView, at: number, bytes: 0 | 1 | 2 | 4 | 8): number {
  if (bytes === 0) return Number.POSITIVE_INFINITY; // not specified
  if (bytes === 1) return view.getUint8(at);
  if (bytes === 2) return view.getUint16(at, true) + 256;
  return bytes === 4 ? view.getUint32(at, true) : Number(view.getBigUint64(at, true));
}
