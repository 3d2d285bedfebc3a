import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeEta, etaRange, type Sample } from './eta.ts';

/** A sample each second, at these speeds. */
function samplesOf(...speeds: number[]): Sample[] {
  const samples: Sample[] = [{ at: 0, done: 0 }];
  for (const speed of speeds) {
    const { at, done } = samples.at(-1)!;
    samples.push({ at: at + 1000, done: done + speed });
  }
  return samples;
}

describe('the time left', () => {
  it('is exact when the speed does not change', () => {
    expect(etaRange(samplesOf(...Array(10).fill(100)), 1000)).toEqual({ shortest: 10, longest: 10 });
  });

  it('spans what the recent speeds make of it', () => {
    expect(etaRange(samplesOf(50, 50, 100, 100, 100), 1000)).toEqual({ shortest: 10, longest: 20 });
  });

  it('has no end when it stood still for a while', () => {
    expect(etaRange(samplesOf(100, 100, 100, 0, 0, 0), 1000)).toEqual({ shortest: 10, longest: null });
  });

  it('is not known before some seconds, nor without any progress', () => {
    expect(etaRange([], 10)).toBeNull();
    expect(etaRange(samplesOf(100, 100), 10)).toBeNull();
    expect(etaRange(samplesOf(0, 0, 0, 0), 10)).toBeNull();
  });

  it('holds the time at the average speed between its ends', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(1000), { minLength: 3, maxLength: 60 }),
        fc.integer({ min: 1, max: 1e9 }),
        (speeds, left) => {
          const samples = samplesOf(...speeds);
          const range = etaRange(samples, left);
          const total = samples.at(-1)!.done;
          if (total === 0) return expect(range).toBeNull();
          const average = left / (total / speeds.length);
          expect(range!.shortest).toBeLessThanOrEqual(average * (1 + 1e-9));
          expect(range!.longest ?? Number.POSITIVE_INFINITY).toBeGreaterThanOrEqual(average * (1 - 1e-9));
        },
      ),
    );
  });

  it.each([
    [{ shortest: 120, longest: 240 }, '2–4 min left'],
    [{ shortest: 20, longest: 41 }, '20–41 s left'],
    [{ shortest: 1, longest: 4 }, 'a few seconds left'],
    [{ shortest: 180, longest: 180 }, 'about 3 min left'],
    [{ shortest: 50, longest: 600 }, '1–10 min left'],
    [{ shortest: 7200, longest: 10_800 }, '2–3 h left'],
    [{ shortest: 259_200, longest: 345_600 }, '3–4 days left'],
    [{ shortest: 300, longest: null }, 'at least 5 min left'],
  ])('%o is formatted as "%s"', (range, text) => expect(describeEta(range)).toBe(text));

  it('is a lower bound when the total may still grow', () => {
    expect(describeEta({ shortest: 120, longest: 240 }, true)).toBe('at least 2 min left');
  });
});
