import { gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deflated, gzipped, zlibbed } from './deflate.ts';

describe('deflate of its own', () => {
  it('is decompressed to its input by zlib', () => {
    const runs = fc.array(
      fc.oneof(
        fc.uint8Array({ maxLength: 40 }),
        fc.tuple(fc.nat(255), fc.integer({ min: 1, max: 700 })).map(([byte, n]) => Buffer.alloc(n, byte)),
      ),
    );
    fc.assert(
      fc.property(runs, (parts) => {
        const bytes = Buffer.concat(parts);
        expect(inflateRawSync(deflated(bytes))).toEqual(bytes);
      }),
    );
  });

  it('finds earlier text at any length and distance', () => {
    const far = Buffer.from(Uint8Array.from({ length: 32_700 }, (_, i) => (i * i) >> 5));
    for (const length of [3, 10, 11, 18, 19, 34, 66, 130, 257, 258, 259]) {
      const bytes = Buffer.concat([Buffer.alloc(length, 'otter '), far, Buffer.alloc(length, 'otter ')]);
      expect(inflateRawSync(deflated(bytes)).equals(bytes)).toBe(true);
    }
    expect(deflated(Buffer.alloc(60_000)).length).toBeLessThan(400);
  });

  it('has the heads and sums of zlib and gzip', () => {
    const text = Buffer.from('boots with opinions '.repeat(20));
    expect(inflateSync(zlibbed(text))).toEqual(text);
    expect(gunzipSync(gzipped(text))).toEqual(text);
  });
});
