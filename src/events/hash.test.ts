import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hashOf, partitionOf, SLOTS, slotOf } from './hash.ts';

describe('the partition of an id', () => {
  it.each([
    ['workflow-123', [1, 0, 1, 1, 5]],
    ['order-1', [0, 1, 0, 1, 4]],
    ['order-42', [0, 1, 0, 2, 12]],
    ['wf-å', [1, 2, 3, 3, 7]],
  ])('of %s is the one of the guide, for 2, 3, 4, 5 and 16 partitions', (id, expected) => {
    expect([2, 3, 4, 5, 16].map((total) => partitionOf(id, total))).toEqual(expected);
  });

  it('is exactly one of those there are', () => {
    const property = fc.property(
      fc.string({ unit: 'grapheme' }),
      fc.integer({ min: 1, max: 1000 }),
      (id, n) => {
        const partition = partitionOf(id, n);
        expect(Number.isInteger(partition) && partition >= 0 && partition < n).toBe(true);
      },
    );
    fc.assert(property);
  });

  it('is determined by the slot if the number divides the slots', () => {
    fc.assert(fc.property(fc.string(), (id) => partitionOf(id, 8) === slotOf(hashOf(id)) % 8));
  });

  it('spreads ids evenly', () => {
    const counts = new Array<number>(SLOTS).fill(0);
    for (let n = 0; n < 256_000; n++) counts[slotOf(hashOf(`order-${n}`))]!++;
    expect(Math.min(...counts)).toBeGreaterThan(800);
    expect(Math.max(...counts)).toBeLessThan(1200);
  });
});
