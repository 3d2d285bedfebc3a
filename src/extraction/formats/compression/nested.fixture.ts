/** Nested compression with large windows and stored content: small to write, large to read. */
import { xzOf } from './xz/xz.fixture.ts';

const MAX_STORED = 64 * 1024;
const MAX_RAW = 128 * 1024;
/** xz's code for 256 MB. */
const LARGE_DICTIONARY = 32;

export function xzStored(data: Uint8Array): Buffer {
  return xzOf([{ data, compressed: lzma2Stored(data), dictionary: LARGE_DICTIONARY }], 1);
}

export function lzma2Stored(data: Uint8Array): Buffer {
  const parts = chunks(data, MAX_STORED).flatMap((chunk, i) => {
    const length = chunk.length - 1;
    return [Buffer.from([i === 0 ? 1 : 2, length >> 8, length & 0xff]), chunk];
  });
  return Buffer.concat([...parts, Buffer.from([0])]);
}

/** `log`: of the window, from 10 to 27. */
export function zstdRaw(data: Uint8Array, log = 27): Buffer {
  const all = chunks(data, MAX_RAW);
  const parts = all.flatMap((chunk, i) => {
    const head = Buffer.alloc(4);
    head.writeUInt32LE((chunk.length << 3) | (i === all.length - 1 ? 1 : 0));
    return [head.subarray(0, 3), chunk];
  });
  return Buffer.concat([Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, (log - 10) << 3]), ...parts]);
}

function chunks(data: Uint8Array, max: number): Uint8Array[] {
  const count = Math.ceil(data.length / max);
  return Array.from({ length: count }, (_, i) => data.subarray(i * max, (i + 1) * max));
}
