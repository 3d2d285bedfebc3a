import { deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { outcomeOf, queueOf } from '../../byte-queue.fixture.ts';
import {
  BitWriter,
  type Deflate64Block,
  type Deflate64Symbol,
  encodeDeflate64,
  expand,
  symbolsOf,
} from './deflate64.fixture.ts';
import { inflate64 } from './deflate64.ts';

const decode = (compressed: Uint8Array, chunk = 4096) =>
  outcomeOf(inflate64(queueOf(compressed, chunk)), 1e8);
const text = Buffer.from(Array.from({ length: 3000 }, (_, i) => `line ${i} ${(i * i) % 977}\n`).join(''));
const noise = Buffer.from(Array.from({ length: 60_000 }, (_, i) => Math.floor(1e6 * Math.sin(i))));
const symbols = symbolsOf(text);

// Written by 7-Zip 26: a hundred thousand letters, a line, the same letters.
const SEVEN_ZIP = Buffer.from(
  '5MY3AQAwDAAgrZ0Z/gVECFysfe77kdX8+PHjx48fP378+PHjx48fP378+PHjx48fP378+PHjx48fP378+PHjx48fP378+PHjx48fP378+PHjx48fP378+PHjx48fP378+PHjx48fP378+PHjx48fP378+PHjx48fP378+PHjx48fP378+PHjx48fP378+PHjx48fP378+PHjx48fP378+PHjx48fP378+PHjx48fP378+PHjx48fP378+PHjx48fP378+PHjx48fP378+PHjx48fP378+PHjx48fP378+PHjx48fP378+PHjx48fP378+PHjx48fP378+PHjx48fP378+PHjx48fP378+PHjx48fP378+PHjx48fP378+PHjx4/fkC+HNgCAQBDA/E/BbCQnMK9IWJ8BMPi6mvLixYsXL168ePHixYsXL168ePHixYsXL168ePHixYsXL168ePHixYsXL168ePHixYsXL168ePHixYsXL168ePHixYsXL168ePHixYsXL168ePHixYsXL168ePHixYsXL168ePHixYsXL168ePHixYsXL168ePHixYsXL168ePHixYsXL168ePHixYsXL168ePHixYsXL168ePHixYsXL168ePHixYsXL168HtXqMbNP0vV7ePHixYsXL168ePHixYsXL168ePHixYsXL168ePHixYsXL168ePHixYsXL168ePHixYsXL168ePHixYsXL168ePHixYsXL168ePHixYsXL168ePHixYsXL168ePHixYsXr0tuHBIAAAAAAPn/2hCSfv369evXr1+/fv369evXr1+/fv369evXr1+/fv369evXr1+/fv369evXr1+/fv369evXr1+/fv369evXr1+/fv369evXr1+/fv369evXr1+/fv369evXr1+/fv369evXr1+/fv369evXr1+/fv369evXr1+/fv369evXr1+/fv369evXr1+/fv369evXr1+/fv369evXr1+/fv369evXr1+/fv369evXr1+/fv369evXr1+/fv369evXr1+/fv369evXr1+/fv369evXr1+/fv369evXr1+/fv369evXr1+/fv369evXr1+/fv369evXr1+/fv369evXr1+/fv369evXr1+/fv369evXT7lxSAAAAAAA5P9rQ0j69evXr1+/fv369evXr1+/fv369evXr1+/fv369evXr1+/fv369evXr1+/fv369evXr1+/fv369evXr1+/fv369evXr1+/fv3GAQ==',
  'base64',
);

describe('deflate64', () => {
  it.each<[string, readonly Deflate64Block[], Buffer]>([
    ['nothing', [{ fixed: [] }], Buffer.alloc(0)],
    ['nothing, stored', [{ stored: Buffer.alloc(0) }], Buffer.alloc(0)],
    ['a stored block', [{ stored: noise }], noise],
    ['fixed codes', [{ fixed: symbols }], text],
    ['codes of its own', [{ dynamic: symbols }], text],
    ['long codes', [{ dynamic: symbols, skew: 7 }], text],
    [
      'blocks of all kinds',
      [
        { stored: noise },
        { fixed: symbols },
        { stored: Buffer.alloc(0) },
        { dynamic: symbols, skew: 3 },
        { stored: Buffer.from('end') },
      ],
      Buffer.concat([noise, text, text, Buffer.from('end')]),
    ],
  ])('%s', async (_, blocks, expected) => {
    for (const chunk of [1, 1000, 65_536]) {
      const { bytes, reason } = await decode(encodeDeflate64(blocks), chunk);
      expect(reason).toBeNull();
      expect(bytes.equals(expected)).toBe(true);
    }
  });

  it('matches of every length and distance that its new codes reach', async () => {
    const matches: Deflate64Symbol[] = [
      ...[3, 10, 11, 257, 258, 259, 300, 65_537, 65_538].map((length): Deflate64Symbol => [7, length]),
      ...[1, 2, 8, 47, 48, 49, 32_768, 32_769, 49_152, 49_153, 65_535, 65_536].map(
        (distance): Deflate64Symbol => [distance, 1000],
      ),
      [65_536, 65_538],
      [1, 65_538],
    ];
    const all = [...noise, ...matches];
    for (const block of [{ fixed: all }, { dynamic: all, skew: 2 }]) {
      const { bytes, reason } = await decode(encodeDeflate64([block]));
      expect([reason, bytes.equals(expand(all))]).toEqual([null, true]);
    }
  });

  it('is like deflate where no match is longer than 257', async () => {
    const compressed = deflateRawSync(noise, { level: 9 });
    expect((await decode(compressed)).bytes.equals(noise)).toBe(true);
  });

  it('leaves what follows it', async () => {
    for (const end of [1, 70_000]) {
      const queue = queueOf(
        Buffer.concat([encodeDeflate64([{ dynamic: symbols }]), Buffer.alloc(end, 'next')]),
      );
      expect((await outcomeOf(inflate64(queue))).reason).toBeNull();
      expect(Buffer.from(await queue.take(4)).toString()).toBe('next'.slice(0, end));
    }
  });

  it('as another program writes it', async () => {
    const letters = 'abcdefghij'.repeat(10_000);
    expect((await decode(SEVEN_ZIP)).bytes.toString()).toBe(`${letters}\nin between\n${letters}`);
  });

  it('any data is restored', async () => {
    const chunks = fc.array(fc.tuple(fc.uint8Array({ maxLength: 40 }), fc.integer({ min: 1, max: 300 })), {
      maxLength: 12,
    });
    await fc.assert(
      fc.asyncProperty(chunks, fc.nat(6), fc.integer({ min: 1, max: 5000 }), async (parts, skew, chunk) => {
        const data = Buffer.concat(
          parts.flatMap(([part, times]) => Array.from({ length: times }, () => part)),
        );
        const { bytes, reason } = await decode(encodeDeflate64([{ dynamic: symbolsOf(data), skew }]), chunk);
        expect([reason, bytes.equals(data)]).toEqual([null, true]);
      }),
      { numRuns: 200 },
    );
  });
});

describe('damaged deflate64', () => {
  it('reports truncation at every position, and keeps what came before', async () => {
    const blocks = [{ stored: text.subarray(0, 99) }, { dynamic: symbolsOf(text.subarray(99, 2000)) }];
    const compressed = encodeDeflate64(blocks);
    for (let end = 0; end < compressed.length; end++) {
      const { bytes, reason } = await decode(compressed.subarray(0, end));
      expect(reason).toBe('corrupt: truncated deflate64 data');
      expect(text.subarray(0, bytes.length).equals(bytes)).toBe(true);
    }
  });

  const bitsOf = (...fields: readonly (readonly [number, number])[]) => {
    const bits = new BitWriter();
    for (const [value, count] of fields) bits.write(value, count);
    bits.write(0, 80_000);
    return bits.end();
  };
  it.each<[string, Buffer]>([
    ['a block of no kind', bitsOf([7, 3])],
    ['a stored block of two lengths', bitsOf([1, 3], [0, 5], [5, 16], [5, 16])],
    ['a match before the beginning', encodeDeflate64([{ fixed: [65, [2, 3], ...noise] }])],
    ['codes that are too many', bitsOf([5, 3], [0, 14], [0o1111, 12])],
    ['a repeated length that there is not', bitsOf([5, 3], [0, 14], [1, 3], [1, 3])],
    ['an unassigned code', bitsOf([3, 3], [0b01100011, 8])],
  ])('with %s is refused', async (_, compressed) => {
    expect((await decode(compressed)).reason).toBe('corrupt: deflate64 data');
  });

  it('with any bytes changed ends in bytes or an error', async () => {
    const short = symbolsOf(text.subarray(0, 600));
    const wholes = [
      encodeDeflate64([{ dynamic: short, skew: 5 }, { fixed: short }]),
      encodeDeflate64([{ stored: text.subarray(0, 50) }, { dynamic: short }]),
      encodeDeflate64([{ fixed: [...text.subarray(0, 9), [3, 60_000], [60_000, 60_000]] }]),
    ];
    const changes = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...wholes), changes, async (whole, list) => {
        const bytes = Buffer.from(whole);
        for (const [at, byte] of list) bytes[at % bytes.length] = byte;
        await decode(bytes);
      }),
      { numRuns: 4000 },
    );
  });
});
