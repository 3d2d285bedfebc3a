/**
 * gzip members. node:zlib inflates them; headers and trailers are parsed here.
 *
 * Format: RFC 1952, section 2.3.
 */
import { crc32, createInflateRaw, gunzipSync, inflateRawSync } from 'node:zlib';
import { CorruptInput } from '../../../extraction-error.ts';
import type { ByteQueue } from '../../byte-queue.ts';
import { inflateShort, joined, SHORT, SHORT_OPTIONS, zlibResult } from '../short-members.ts';
import { CHUNK_SIZE, inflate } from './inflation.ts';

const HAS_CRC = 2;
const HAS_EXTRA = 4;
const HAS_NAME = 8;
const HAS_COMMENT = 16;

/**
 * Members one after another. Header and trailer are read here, not by the engine: it would drop the text before a
 * wrong checksum, and all of a small file that is followed by something else.
 */
export function gunzip(queue: ByteQueue): AsyncGenerator<Uint8Array> {
  return joined(members(queue));
}

async function* members(queue: ByteQueue): AsyncGenerator<Uint8Array> {
  let short = false; // the last member
  for (let first = true; await nextMember(queue, first); first = false) {
    let crc = 0;
    let length = 0;
    const start = queue.taken;
    const whole = short ? await inflateShort(queue, (bytes) => inflateRawSync(bytes, SHORT_OPTIONS)) : null;
    const chunks =
      whole === null ? inflate(createInflateRaw({ chunkSize: CHUNK_SIZE }), queue, 'gzip data') : [whole];
    for await (const out of chunks) {
      crc = crc32(out, crc);
      length += out.length;
      yield out;
    }
    short = queue.taken - start < SHORT;
    const trailer = await queue.take(8);
    if (trailer.length < 8) throw new CorruptInput('truncated gzip data');
    const view = new DataView(trailer.buffer, trailer.byteOffset);
    if (view.getUint32(0, true) !== crc || view.getUint32(4, true) !== length % 2 ** 32) {
      throw new CorruptInput('gzip checksum');
    }
  }
}

/** Past the next member's header; false: that was all. Zeros that fill up a block of a tape are no damage. */
async function nextMember(queue: ByteQueue, first: boolean): Promise<boolean> {
  let start = await queue.take(10);
  if (start.length === 0 && !first) return false;
  if (start[0] === 0 && !first) {
    while (start.every((byte) => byte === 0)) {
      if (start.length === 0) return false;
      start = await queue.take(10);
    }
  }
  if (start[0] !== 0x1f || start[1] !== 0x8b) throw new CorruptInput(first ? 'gzip data' : 'data after gzip');
  if (start.length < 10) throw new CorruptInput('truncated gzip data');
  const flags = start[3]!;
  if (flags & HAS_EXTRA) {
    const [low = 0, high = 0] = await queue.take(2);
    await queue.take(low + 256 * high);
  }
  if (flags & HAS_NAME) await skipString(queue);
  if (flags & HAS_COMMENT) await skipString(queue);
  if (flags & HAS_CRC) await queue.take(2);
  return true;
}

async function skipString(queue: ByteQueue): Promise<void> {
  for (;;) {
    const bytes = await queue.take(256);
    if (bytes.length === 0) throw new CorruptInput('truncated gzip data');
    const end = bytes.indexOf(0);
    if (end === -1) continue;
    queue.unread(bytes.length - end - 1);
    return;
  }
}

/** null: too long, damaged or otherwise not for the synchronous path. */
export function gunzipBuffer(bytes: Uint8Array, maxOutputLength: number): Uint8Array | null {
  try {
    const { buffer, engine } = zlibResult(gunzipSync(bytes, { maxOutputLength, info: true }));
    return engine.bytesWritten === bytes.length ? buffer : null;
  } catch {
    return null;
  }
}
