import { brotliCompressSync, deflateRawSync, gzipSync, zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { snappyCompress } from 'hyparquet-writer/src/snappy.js';
import { describe, expect, it } from 'vitest';
import { ExtractionError } from '../../extraction-error.ts';
import { type BlockCodec, unpackBlock } from './block-codecs.ts';
import { unlz4, unlz4Framed } from './lz4.ts';
import { acquireKernel } from './parquet/kernel/kernel.ts';
import { type FastSnappy, unsnappy } from './snappy.ts';

const text = Buffer.from('the quick brown fox jumps over the lazy dog. '.repeat(500));

describe('compressed blocks', () => {
  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateRawSync],
    ['zstd', zstdCompressSync],
    ['brotli', brotliCompressSync],
  ] as [BlockCodec, (bytes: Uint8Array) => Uint8Array][])('%s', (codec, pack) => {
    const compressed = pack(text);
    expect(Buffer.compare(unpackBlock(codec, compressed, text.length, text.length), text)).toBe(0);
    expect(() => unpackBlock(codec, compressed, 10, text.length - 1)).toThrow('limit: compression ratio');
    expect(() => unpackBlock(codec, compressed.subarray(0, -9), 10, 1e6)).toThrow(`corrupt: ${codec} data`);
  });
});

describe.each<[string, FastSnappy | null]>([
  ['in JavaScript', null],
  ['by WebAssembly', acquireKernel()],
])('Snappy %s', (_, fast) => {
  const decompressed = (bytes: Uint8Array, max: number) => unsnappy(bytes, max, fast);

  it('compressed data is restored', () => {
    const words = fc.constantFrom('lorem ', 'ipsum ', 'x'.repeat(100), '\0\0\0\0', 'é');
    fc.assert(
      fc.property(fc.array(words, { maxLength: 500 }), (parts) => {
        const bytes = Buffer.from(parts.join(''));
        expect(Buffer.compare(decompressed(snappyCompress(bytes), bytes.length), bytes)).toBe(0);
      }),
    );
  });

  it('a copy may overlap itself, and have a large distance', () => {
    const repeat = [20, (4 - 1) << 2, ...Buffer.from('abcd'), ((16 - 1) << 2) | 2, 4, 0];
    expect(Buffer.from(decompressed(Uint8Array.from(repeat), 20)).toString()).toBe('abcd'.repeat(5));
    const far = [8, (4 - 1) << 2, ...Buffer.from('abcd'), ((4 - 1) << 2) | 3, 4, 0, 0, 0];
    expect(Buffer.from(decompressed(Uint8Array.from(far), 8)).toString()).toBe('abcdabcd');
  });

  it('a copy of any length and distance equals a bytewise copy', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 64 }), (back, count) => {
        const text = Array.from({ length: back }, (_, i) => 65 + (i % 50));
        const tag = ((count - 1) << 2) | 2;
        const compressed = Uint8Array.of(back + count, (back - 1) << 2, ...text, tag, back, 0);
        const expected = text.concat(Array.from({ length: count }, (_, i) => text[i % back]!));
        expect([...decompressed(compressed, 200)]).toEqual(expected);
      }),
    );
  });

  it.each([
    ['a length above any memory limit', [0xff, 0xff, 0xff, 0xff, 0x0f, 0]],
    ['a length without end', [0x80, 0x80, 0x80, 0x80, 0x80, 0x80]],
    ['a copy from before the beginning', [8, 0, 0x61, ((4 - 1) << 2) | 2, 9, 0]],
    ['a copy from nowhere', [5, 0, 0x61, ((4 - 1) << 2) | 2, 0, 0]],
    ['fewer bytes than it said', [5, 0, 0x61]],
    ['more bytes than it said', [1, 4, 0x61, 0x62]],
    ['a literal that is cut off', [9, 8 << 2, 0x61]],
    ['a copy that is cut off', [5, 0, 0x61, ((4 - 1) << 2) | 2, 1]],
    ['nothing at all', []],
  ])('%s is reported', (_, bytes) => {
    expect(() => decompressed(Uint8Array.from(bytes), 1e6)).toThrow('corrupt: Snappy data');
  });

  it('returns data or CorruptInput for any bytes', () => {
    const some = fc.uint8Array({ maxLength: 60 });
    fc.assert(
      fc.property(some, (bytes) => {
        const out = outcome(() => decompressed(Uint8Array.of(200, 1, ...bytes), 200));
        expect(out === 'refused' || out.length === 200).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('LZ4', () => {
  // Literals only; then four of them, which are repeated; the last ones are literals again.
  const literals = Uint8Array.from([0xf0, 5, ...Buffer.from('x'.repeat(20))]);
  const repeating = Uint8Array.from([0x4f, ...Buffer.from('abcd'), 4, 0, 1, 0x10, 0x7a]);

  it('literals and repetitions', () => {
    expect(Buffer.from(unlz4(literals, 20)).toString()).toBe('x'.repeat(20));
    expect(Buffer.from(unlz4(repeating, 25)).toString()).toBe(`${'abcd'.repeat(6)}z`);
  });

  it('in the frame of Hadoop, or without one', () => {
    const frame = (out: number, block: Uint8Array): Buffer => {
      const head = Buffer.alloc(8);
      head.writeUInt32BE(out, 0);
      head.writeUInt32BE(block.length, 4);
      return Buffer.concat([head, block]);
    };
    const framed = Buffer.concat([frame(20, literals), frame(25, repeating)]);
    expect(Buffer.from(unlz4Framed(framed, 45) ?? []).toString()).toBe(
      `${'x'.repeat(20)}${'abcd'.repeat(6)}z`,
    );
    expect(unlz4Framed(literals, 20)).toBeNull();
  });

  it('returns data or CorruptInput for any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 60 }), (bytes) => {
        for (const unpack of [unlz4, unlz4Framed]) {
          const out = outcome(() => unpack(bytes, 100) ?? new Uint8Array(100));
          expect(out === 'refused' || out.length === 100).toBe(true);
        }
      }),
      { numRuns: 2000 },
    );
    expect(() => unlz4(literals, 2 ** 31)).toThrow('corrupt: LZ4 data');
  });
});

function outcome(unpack: () => Uint8Array): Uint8Array | 'refused' {
  try {
    return unpack();
  } catch (error) {
    if (error instanceof ExtractionError) return 'refused';
    throw error;
  }
}
