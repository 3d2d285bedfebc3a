import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LzmaWindow } from './lzma-window.ts';

const RING = 64 * 1024;

/** All that comes out of some random bytes and these matches. */
function played(matches: readonly (readonly [distance: number, length: number])[]): Buffer {
  const window = new LzmaWindow(RING);
  const out: Buffer[] = [];
  const write = (length: number, put: (now: number) => void) => {
    for (let left = length; left > 0; ) {
      const now = window.room(left) - window.at;
      put(now);
      out.push(Buffer.from(window.take()));
      left -= now;
    }
  };
  write(RING + 100, (now) => {
    for (let i = 0; i < now; i++) window.bytes[window.at] = (window.at++ * 37 + (window.at >> 8)) & 0xff;
  });
  for (const [distance, length] of matches) write(length, (now) => window.copy(distance, now));
  return Buffer.concat(out);
}

/** The same, one byte after another. */
function expected(start: Buffer, matches: readonly (readonly [distance: number, length: number])[]): Buffer {
  const all = [...start];
  for (const [distance, length] of matches)
    for (let i = 0; i < length; i++) all.push(all[all.length - 1 - distance]!);
  return Buffer.from(all);
}

describe('the window of LZMA', () => {
  it('gives for a match what one byte after another would, near, far and around the ring', () => {
    const distance = fc.oneof(fc.nat(8), fc.nat(RING - 1), fc.integer({ min: RING - 300, max: RING - 1 }));
    const match = fc.tuple(distance, fc.integer({ min: 1, max: 273 }));
    const start = played([]);
    fc.assert(
      fc.property(fc.array(match, { maxLength: 40 }), (matches) => {
        expect(played(matches).equals(expected(start, matches))).toBe(true);
      }),
      { numRuns: 30 },
    );
  });
});
