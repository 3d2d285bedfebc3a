import { constants, createZstdCompress, zstdCompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { zstdRaw } from '../nested.fixture.ts';
import { MAX_HEADER_LENGTH, windowOf } from './zstd.ts';

const MAX_COUNT = 2 ** 27;
const head = (...bytes: number[]) => Uint8Array.from([0x28, 0xb5, 0x2f, 0xfd, ...bytes]);

describe('the window of a zstd frame', () => {
  it("is read from the frame descriptor, up to the engine's limit", () => {
    expect(windowOf(zstdRaw(Buffer.from('x'), 20))).toBe(2 ** 20);
    expect(windowOf(head(0, (5 << 3) | 3))).toBe(32_768 + 3 * 4096);
    expect(windowOf(head(0, 31 << 3))).toBe(MAX_COUNT);
  });

  it('is no longer than the content', () => {
    expect(windowOf(head(0x20, 77))).toBe(77);
    expect(windowOf(head(0x60, 1, 1))).toBe(256 + 257);
    expect(windowOf(head(0x80, 17 << 3, 0, 0, 1, 0))).toBe(65_536);
    expect(windowOf(head(0xe3, 9, 9, 9, 9, 5, 1, 0, 0, 0, 0, 0, 0))).toBe(261);
    expect(windowOf(head(0xc0, 2 << 3, 0, 0, 0, 0, 1, 0, 0, 0))).toBe(4096);
  });

  it('is read from frames of other encoders', async () => {
    expect(windowOf(zstdCompressSync(Buffer.alloc(100_000)).subarray(0, MAX_HEADER_LENGTH))).toBe(100_000);
    const stream = createZstdCompress({ params: { [constants.ZSTD_c_windowLog]: 21 } });
    stream.write(Buffer.alloc(10));
    stream.end(Buffer.alloc(10));
    const pieces = await stream.toArray();
    expect(windowOf(Buffer.concat(pieces))).toBe(2 ** 21);
  });

  it("is the maximum if the header doesn't specify it", () => {
    for (const bytes of [[], [0x28, 0xb5], [1, 2, 3, 4, 5, 6], [...head(0)], [...head(0xc0, 8, 1)]])
      expect(windowOf(Uint8Array.from(bytes))).toBe(MAX_COUNT);
  });
});
