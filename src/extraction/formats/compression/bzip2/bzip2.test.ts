import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS } from '../../../budget/limits.ts';
import { viaBytes, viaStream } from '../../../extraction.fixture.ts';

// Written by bzip2 1.0: "hello, world", nothing, runs around the lengths 4 and 259, all bytes but zero twice.
const vector = (base64: string) => Buffer.from(base64, 'base64');
const HELLO = vector('QlpoOTFBWSZTWVSkl4QAAALRgAAQQAQGRJCAIAAxADAgaGIASdSyHz8XckU4UJBUpJeE');
const EMPTY = vector('QlpoORdyRThQkAAAAAA=');
const RUNS = vector('QlpoOTFBWSZTWa6ARi0AAAJBAeAAPwAAgAAIIAAxADAj1T1PJMnZLz1Q4y7NxGHWhD0ojR8XckU4UJCugEYt');
// Three blocks of 100,000 bytes at most.
const BLOCKS = vector(
  'QlpoMTFBWSZTWVWbsOcAK6nZgAAQQAB/EBtptsAwAPAFAANAyZAmqqjAD1BoaeoUAA0DJkZIFV5IFVoQKruQKrBAqtxAqsIiuKIr' +
    'kiK5oiuiIrqiKwiKwQKrQgVWhAqv8gVWpAqvpAqvRAqskCqyQKrUgVW8gVWpAqv4gVWSBVZiBVfjFBWSZTWVWbsOcAK6nZgAAQQA' +
    'B/EBtptsAwAPAFAANAyZAmqqjAD1BoaeoUAA0DJkZIFV5IFVoQKruQKrBAqtxAqsIiuKIrkiK5oiuiIrqiKwiKwQKrQgVWhAqv8g' +
    'VWpAqvpAqvRAqskCqyQKrUgVW8gVWpAqv4gVWSBVZiBVfjFBWSZTWRn9wGUAAxLZgAAQQAB/EBtptsAwALgKAAaBkyCgAGgZMgKV' +
    'UADINDT1MIo9Io0RR4RRmijgijOky6FOpTsUyKb6TOkzRRoijRFG1FGqKPyKPaKMIowijVFHFFGqKNiKMIowRR/F3JFOFCQ5KRiN' +
    'gA==',
);
const blocks = Array.from({ length: 9000 }, (_, i) => `${i % 7}: the quick brown fox\n`).join('');
const runs = [3, 4, 5, 259, 260, 1000].map((length, i) => 'abcdef'.charAt(i).repeat(length)).join('');

describe('bzip2', () => {
  it.each([
    ['a line', HELLO, 'hello, world\n'],
    ['nothing', EMPTY, ''],
    ['runs of all lengths', RUNS, runs],
    ['several blocks', BLOCKS, blocks],
    [
      'several streams',
      Buffer.concat([HELLO, EMPTY, BLOCKS, HELLO]),
      `hello, world\n${blocks}hello, world\n`,
    ],
  ])('%s', async (_, bytes, text) => {
    for (const size of [1, 13, 4096]) {
      const { result, parts } = await viaStream('a.log.bz2', bytes, [size]);
      expect(result).toEqual({ state: 'read', format: text === '' ? 'text' : 'log' });
      expect(parts.map(({ name }) => name)).toEqual(['#bzip2']);
      expect(parts[0]?.text === text).toBe(true);
    }
  });

  it('is left to the stream', () => {
    expect(viaBytes('a', HELLO)).toEqual({ result: null, parts: [] });
  });

  it('a truncated file keeps the blocks before', async () => {
    const { result, parts } = await viaStream('a', BLOCKS.subarray(0, -20));
    expect(result).toMatchObject({ state: 'partial', reason: 'corrupt: truncated bzip2 data' });
    expect(parts[0]!.text.length).toBeGreaterThan(150_000);
    expect(blocks.startsWith(parts[0]!.text)).toBe(true);
  });

  it.each([
    ["a block's", 10],
    ["the stream's", HELLO.length - 2],
  ])('%s wrong checksum is reported, and the text is kept', async (_, at) => {
    const bytes = Buffer.from(HELLO);
    bytes[at]! ^= 1;
    const { result, parts } = await viaStream('a', bytes);
    expect(result).toMatchObject({ state: 'partial', reason: 'corrupt: bzip2 checksum' });
    expect(parts[0]?.text).toBe('hello, world\n');
  });

  it('trailing data is reported', async () => {
    const { result, parts } = await viaStream('a', Buffer.concat([HELLO, Buffer.from('garbage')]));
    expect(result).toMatchObject({ state: 'partial', reason: 'corrupt: data after bzip2' });
    expect(parts[0]?.text).toBe('hello, world\n');
  });

  it('limits hold', async () => {
    const { result, parts } = await viaStream('a', BLOCKS, [99], {
      ...DEFAULT_LIMITS,
      ratioFloor: 1000,
      ratio: 10,
    });
    expect(result).toMatchObject({ state: 'partial', reason: 'limit: compression ratio' });
    expect(parts[0]!.text.length).toBeLessThanOrEqual(10 * BLOCKS.length);
  });

  it('flipped bits anywhere are reported and never throw', async () => {
    const whole = RUNS.subarray(10);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 8 * whole.length - 1 }), async (bit) => {
        const bytes = Buffer.from(RUNS);
        bytes[10 + (bit >> 3)]! ^= 0x80 >> (bit & 7);
        const { result, parts } = await viaStream('a', bytes);
        // Some bits have no effect: padding, codes of unused symbols.
        if (result?.state === 'read') expect(parts[0]?.text).toBe(runs);
        // Output before the damage is detected may no longer look like text.
        else expect(result).toMatchObject({ reason: expect.stringMatching(/^corrupt: |data in bzip2$/) });
      }),
      { numRuns: 200 },
    );
  });
});
