import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { usualWindows } from '../../../budget/window-memory.fixture.ts';
import { WindowMemory } from '../../../budget/window-memory.ts';
import { outcomeOf, queueOf } from '../../byte-queue.fixture.ts';
import { encodeSymbols, type LzmaSymbol } from './lzma.fixture.ts';
import { WINDOW_MARGIN } from './lzma-layout.ts';
import { LzmaMemory } from './lzma-memory.ts';
import { LzmaWindow } from './lzma-window.ts';
import { unlzma2 } from './lzma2.ts';

const RING = 64 * 1024;

const noise = (length: number) =>
  Buffer.from(Uint8Array.from({ length }, (_, i) => (i * 37 + (i >> 8)) & 0xff));
const unpack = (compressed: Buffer) =>
  outcomeOf(unlzma2(queueOf(compressed), RING, usualWindows()), 1_000_000);

describe('the window of LZMA', () => {
  it('copies a match like a bytewise loop, near, far and across the end of the ring', async () => {
    const distance = fc.oneof(
      fc.integer({ min: 1, max: 20 }),
      fc.integer({ min: 1, max: RING }),
      fc.integer({ min: RING - 300, max: RING }),
    );
    const match = fc.tuple(distance, fc.integer({ min: 2, max: 273 }));
    const symbol = fc.oneof({ weight: 3, arbitrary: match }, { weight: 1, arbitrary: fc.nat(255) });
    const before = fc.integer({ min: RING, max: RING + 400 });
    await fc.assert(
      fc.asyncProperty(before, fc.array(symbol, { minLength: 1, maxLength: 60 }), async (length, symbols) => {
        const [compressed, out] = encodeSymbols(noise(length), symbols);
        const { bytes, reason } = await unpack(compressed);
        expect(reason).toBeNull();
        expect(bytes.equals(out)).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  it('with barely enough memory reaches back as far as the dictionary', async () => {
    const dictionary = 2 * RING;
    const [compressed, out] = encodeSymbols(noise(5 * RING), [[dictionary, 5], 1, [dictionary, 9]]);
    const windows = new WindowMemory(dictionary);
    const { bytes, reason } = await outcomeOf(unlzma2(queueOf(compressed), dictionary, windows));
    expect(reason).toBeNull();
    expect(bytes.equals(out)).toBe(true);
  });

  it('wraps around several times', async () => {
    const symbols = Array.from(
      { length: 1000 },
      (_, i): LzmaSymbol => (i % 5 === 0 ? i & 0xff : [RING - ((i * 7919) % 2000), 100 + (i % 174)]),
    );
    const [compressed, out] = encodeSymbols(noise(RING + 77), symbols);
    expect((await unpack(compressed)).bytes.equals(out)).toBe(true);
  });

  it('returns what precedes a match beyond the window', async () => {
    expect((await unpack(encodeSymbols(noise(1000), [[1000, 5]])[0])).reason).toBeNull();
    const [compressed] = encodeSymbols(noise(1000), [1, 2, [1003, 5], 3]);
    const { bytes, reason } = await unpack(compressed);
    expect(reason).toBe('corrupt: lzma data');
    expect(bytes.equals(Buffer.concat([noise(1000), Buffer.from([1, 2])]))).toBe(true);
    const beyond = encodeSymbols(noise(3 * RING), [[RING, 5], [RING + 1, 5], 3])[0];
    expect(await unpack(beyond)).toMatchObject({
      reason: 'corrupt: lzma data',
      bytes: { length: 3 * RING + 5 },
    });
  });

  const fill = (window: LzmaWindow, bytes: number) => {
    for (let left = bytes; left > 0; left -= window.take().length) {
      window.grow();
      window.store(Buffer.alloc(left, 65));
    }
  };

  it('grows with the output, up to the dictionary size', () => {
    const memory = new LzmaMemory();
    const window = new LzmaWindow(memory, 1_000_000);
    const { length } = memory.bytes;
    expect(window.size).toBe(65_536);
    fill(window, 300_000);
    expect(window.size).toBe(524_288);
    expect(memory.bytes.length - length).toBeLessThanOrEqual(524_288);
    fill(window, 3_000_000);
    expect(window.size).toBe(1_000_000 + WINDOW_MARGIN);
  });

  it('distinguishes a match beyond our limit from an invalid one', () => {
    const window = new LzmaWindow(new LzmaMemory(), 1_000_000, 131_072);
    fill(window, 1000);
    expect(() => window.refuse(1001)).toThrow('corrupt: lzma data');
    fill(window, 200_000);
    expect(window.reach).toBe(131_072);
    expect(() => window.refuse(131_072)).toThrow('limit: dictionary');
    expect(() => window.refuse(1_000_000)).toThrow('corrupt: lzma data');
  });
});
