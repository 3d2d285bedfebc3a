import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { outcomeOf, queueOf } from '../../byte-queue.fixture.ts';
import { encodeBcj2 } from './bcj2.fixture.ts';
import { unbcj2 } from './bcj2.ts';

const decode = (streams: readonly Uint8Array[], size: number, chunk = 4096) =>
  outcomeOf(
    unbcj2(
      streams.map((stream) => queueOf(stream, chunk)),
      size,
    ),
    1e7,
  );

/** Calls, jumps and bytes between them. */
const opcodes = fc.constantFrom(0xe8, 0xe9, 0x0f, 0x80, 0x8f, 0x00, 0xff);
const programs = fc
  .array(fc.oneof(opcodes, fc.nat(255)), { maxLength: 300 })
  .map((bytes) => Buffer.from(bytes));
const LONG = Buffer.from(
  Array.from({ length: 90_000 }, (_, i) => [0xe8, (i * 7) & 0xff, i >> 8, 0, 0, 0x0f, 0x84, i & 0xff]).flat(),
);

describe('BCJ2', () => {
  it('any program is restored', async () => {
    await fc.assert(
      fc.asyncProperty(programs, fc.integer({ min: 1, max: 99 }), async (program, chunk) => {
        const { bytes, reason } = await decode(encodeBcj2(program), program.length, chunk);
        expect([reason, bytes.toString('hex')]).toEqual([null, program.toString('hex')]);
      }),
      { numRuns: 1000 },
    );
  });

  it('a long program is restored', async () => {
    const { bytes, reason } = await decode(encodeBcj2(LONG), LONG.length, 65_536);
    expect([reason, bytes.equals(LONG)]).toEqual([null, true]);
  });

  it('truncation of each stream is reported, and what came before is kept', async () => {
    const streams = encodeBcj2(LONG);
    for (const [i, stream] of streams.entries()) {
      for (const length of [0, 3, stream.length >> 1]) {
        const cut = streams.with(i, stream.subarray(0, length));
        const { bytes, reason } = await decode(cut, LONG.length);
        expect(reason).toBe('corrupt: truncated bcj2 data');
        expect(LONG.subarray(0, bytes.length).equals(bytes)).toBe(true);
      }
    }
  });

  it('a range coder that begins otherwise is refused', async () => {
    expect((await decode([Buffer.of(1), Buffer.of(), Buffer.of(), Buffer.of(1, 2, 3, 4, 5)], 1)).reason).toBe(
      'corrupt: bcj2 data',
    );
  });

  it('of arbitrary bytes yields the given size or an error', async () => {
    const stream = fc
      .array(fc.oneof(opcodes, fc.nat(255)), { maxLength: 100 })
      .map((bytes) => Buffer.from(bytes));
    const streams = fc.tuple(
      stream,
      stream,
      stream,
      stream.map((bits) => Buffer.concat([Buffer.of(0), bits])),
    );
    await fc.assert(
      fc.asyncProperty(streams, fc.nat(300), async (four, size) => {
        const { bytes, reason } = await decode(four, size);
        if (reason === null) expect(bytes.length).toBe(size);
      }),
      { numRuns: 3000 },
    );
  });
});
