import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { timeLeft } from './eta.ts';

const spread = (low: number, high: number) => ({ low, likely: (low + high) / 2, high });
const plan = { from: 'plan', objects: spread(100, 200), bytes: spread(10_000, 20_000) } as const;
const rate = (objectsPerSecond: number, bytesPerSecond: number) => ({ objectsPerSecond, bytesPerSecond });

describe('the time left', () => {
  it('ranges from the low estimate at the highest speed to the high estimate at the lowest', () => {
    const done = { objects: 50, bytes: 5000 };
    expect(timeLeft(done, plan, [rate(1, 100), rate(1, 50)])).toEqual({ shortest: 50, longest: 300 });
  });

  it('is computed from objects where bytes are unknown or zero', () => {
    const done = { objects: 50, bytes: 0 };
    const left = { shortest: 25, longest: 75 };
    expect(timeLeft(done, { ...plan, bytes: null }, [rate(2, 0)])).toEqual(left);
    expect(timeLeft(done, { ...plan, bytes: spread(0, 0) }, [rate(2, 0)])).toEqual(left);
  });

  it.each([
    ['without an estimate', null, { objects: 1, bytes: 1 }, [rate(1, 1)]],
    ['without a speed', plan, { objects: 1, bytes: 1 }, []],
    ['when nothing gets on', plan, { objects: 1, bytes: 1 }, [rate(0, 0)]],
    ['when more is done than was expected at most', plan, { objects: 1, bytes: 20_001 }, [rate(1, 1)]],
  ])('is unknown %s', (_, estimate, done, rates) => {
    expect(timeLeft(done, estimate, rates)).toBeNull();
  });

  it('is never negative, and its ends never cross', () => {
    const positive = fc.integer({ min: 1, max: 1e12 });
    const property = fc.property(
      positive,
      positive,
      positive,
      fc.array(positive, { minLength: 1 }),
      (a, b, bytes, speeds) => {
        const estimate = { ...plan, bytes: spread(Math.min(a, b), Math.max(a, b)) };
        const rates = speeds.map((speed) => rate(1, speed));
        const left = timeLeft({ objects: 0, bytes }, estimate, rates);
        if (left === null) return;
        expect(left.shortest).toBeGreaterThanOrEqual(0);
        expect(left.longest).toBeGreaterThanOrEqual(left.shortest);
      },
    );
    fc.assert(property);
  });
});
