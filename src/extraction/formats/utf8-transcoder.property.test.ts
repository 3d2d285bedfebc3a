import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Encoding } from '../sniff/encoding.ts';
import { BLOCK, type SimdTranscoder, simdTranscoder } from './simd-transcoder.ts';
import { Utf8Transcoder } from './utf8-transcoder.ts';

const units = (min: number, max: number) => fc.integer({ min, max }).map((unit) => [unit]);
const pair = fc.tuple(units(0xd800, 0xdbff), units(0xdc00, 0xdfff)).map(([[high], [low]]) => [high!, low!]);
const border = fc.constantFrom(0, 0x7f, 0x80, 0x7ff, 0x800, 0xd7ff, 0xe000, 0xfffd, 0xffff).map((u) => [u]);
const kinds = [
  units(0x20, 0x7e),
  units(0xa0, 0x17f),
  units(0x400, 0x4ff),
  units(0x3040, 0x9fff),
  pair,
  units(0xd800, 0xdbff),
  units(0xdc00, 0xdfff),
  border,
];
const mixture = fc.array(fc.oneof(...kinds), { maxLength: 40, size: 'max' });
/** Mostly of one kind, since vectors are for runs. */
const run = fc
  .tuple(
    fc.oneof(...kinds.map((kind) => fc.array(kind, { minLength: 1, maxLength: 5 })), mixture),
    fc.integer({ min: 1, max: 30 }),
  )
  .map(([some, times]) => Array<number[][]>(times).fill(some).flat(2));
/** Characters with this many bytes, until a block is nearly full. */
const filling = fc
  .tuple(fc.constantFrom([0x61], [0xe9], [0x65e5], [0xd83d, 0xde00]), fc.integer({ min: -20, max: 400 }))
  .map(([some, missing]) => {
    const bytes = Buffer.byteLength(String.fromCharCode(...some));
    return Array<readonly number[]>(Math.floor((BLOCK - missing) / bytes))
      .fill(some)
      .flat();
  });

interface Text {
  readonly encoding: Encoding;
  readonly bytes: Uint8Array;
}

const text = fc
  .record({
    start: fc.oneof(fc.constant([]), filling),
    runs: fc.array(run, { maxLength: 12, size: 'max' }),
    little: fc.boolean(),
    bomLength: fc.constantFrom(0, 2),
    odd: fc.boolean(),
  })
  .map(({ start, runs, little, bomLength, odd }): Text => {
    const wide = Buffer.from(
      Uint16Array.from([...(bomLength === 0 ? [] : [0xfeff]), ...start, ...runs.flat()]).buffer,
    );
    const bytes = Buffer.concat([little ? wide : wide.swap16(), Buffer.alloc(odd ? 1 : 0, 0x41)]);
    return { encoding: { charset: 'utf-8', width: 2, little, bomLength }, bytes };
  });
const sizes = fc.array(
  fc.oneof(
    fc.integer({ min: 1, max: 9 }),
    fc.integer({ min: 60, max: 200 }),
    fc.integer({ min: 1, max: 200_000 }),
  ),
  { minLength: 1, maxLength: 8 },
);

/** The blocks, with the source offsets of some bytes of each, queried when it is emitted. The chunks are overwritten. */
function narrowed({ encoding, bytes }: Text, vectors: SimdTranscoder | null, chunks: readonly number[]) {
  const blocks: string[] = [];
  const origins: number[] = [];
  let length = 0;
  const transcoder = new Utf8Transcoder(
    encoding,
    (block) => {
      blocks.push(Buffer.from(block).toString('latin1'));
      for (let at = 0; at < block.length; at += 97) origins.push(transcoder.offsets.at(length + at));
      length += block.length;
    },
    vectors,
  );
  for (let at = 0, n = 0; at < bytes.length; n++) {
    const chunk = Uint8Array.from(bytes.subarray(at, at + chunks[n % chunks.length]!));
    transcoder.push(chunk);
    at += chunk.length;
    chunk.fill(0x21);
  }
  transcoder.end();
  return { blocks, origins: [...origins, transcoder.offsets.at(length)] };
}

it('with SIMD gives the same blocks and offsets as without, for any chunking', () => {
  const vectors = simdTranscoder();
  expect(vectors).not.toBeNull();
  fc.assert(
    fc.property(text, sizes, (given, chunks) => {
      expect(narrowed(given, vectors, chunks)).toEqual(narrowed(given, null, [given.bytes.length]));
    }),
    { numRuns: 300 },
  );
});
