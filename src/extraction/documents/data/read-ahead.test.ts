import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inMemory } from './data.fixture.ts';
import { ReadAhead } from './read-ahead.ts';

const bytes = Uint8Array.from({ length: 6_000_000 }, (_, i) => (i * 31) ^ (i >> 8));

describe('reading ahead', () => {
  it('returns the same data for any order of reads', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.tuple(
            fc.nat({ max: bytes.length }),
            fc.oneof(fc.nat({ max: 600_000 }), fc.integer({ min: 4e6, max: 6e6 })),
          ),
          { maxLength: 12 },
        ),
        async (expected) => {
          const source = new ReadAhead(inMemory(bytes));
          for (const [from, length] of expected) {
            const got = await source.read(from, length);
            expect(Buffer.compare(got, bytes.subarray(from, from + length))).toBe(0);
          }
        },
      ),
      { numRuns: 30 },
    );
  });

  it('reads forward with few requests, and nothing twice', async () => {
    let questions = 0;
    let requestCount = 0;
    const source = new ReadAhead({
      size: bytes.length,
      read: async (from, to) => {
        questions++;
        requestCount += to - from;
        return bytes.slice(from, to);
      },
    });
    for (let at = 0; at < bytes.length; at += 1000) await source.read(at, 1000);
    expect(questions).toBeLessThan(8);
    expect(requestCount).toBe(bytes.length);
  });
});
