import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type ConfidenceHistogram,
  confidencePercent,
  countTypesAbove,
  meetsThreshold,
  mergeHistograms,
  mergeOverlaps,
} from './confidence-histogram.ts';

const level = fc.integer({ min: 30, max: 99 }).map(String);
const levels: fc.Arbitrary<ConfidenceHistogram> = fc.dictionary(
  fc.constantFrom('EMAIL', 'SSN', 'IBAN'),
  fc.dictionary(level, fc.integer({ min: 1, max: 9 }), { minKeys: 1 }),
);

describe('confidenceHistogram', () => {
  it('count what reaches the threshold, and the surest of it', () => {
    const types = countTypesAbove({ SSN: { 45: 2 }, EMAIL: { 45: 7, 85: 120, 95: 3 } }, () => 0.5);
    expect(types).toEqual([{ detector: 'EMAIL', count: 123, confidence: 0.95 }]);
  });

  it('count nothing of a detector that is off', () => {
    expect(countTypesAbove({ EMAIL: { 95: 3 } }, () => null)).toEqual([]);
  });

  it.each([0.29, 0.35, 0.45, 0.55, 0.57, 0.58, 0.7])(
    'of %f reach a threshold that is written the same',
    (written) => {
      expect(meetsThreshold(confidencePercent(written), written)).toBe(true);
      expect(meetsThreshold(confidencePercent(Math.fround(written)), written)).toBe(true);
      expect(meetsThreshold(confidencePercent(written) - 1, written)).toBe(false);
    },
  );

  it('of a sum that is a hair below what it should be reach it all the same', () => {
    expect(0.35 + 0.1).toBeLessThan(0.45);
    expect(meetsThreshold(confidencePercent(0.35 + 0.1), 0.45)).toBe(true);
  });

  it('of two windows add up to the count of both together, for any threshold', () => {
    fc.assert(
      fc.property(levels, levels, fc.integer({ min: 30, max: 99 }), (left, right, threshold) => {
        const count = (of: ConfidenceHistogram) =>
          countTypesAbove(of, () => threshold / 100).reduce((sum, type) => sum + type.count, 0);
        expect(count(mergeHistograms(left, right))).toBe(count(left) + count(right));
        expect(mergeHistograms(left, right)).toEqual(mergeHistograms(right, left));
      }),
    );
  });

  it('contain every loser of a window once', () => {
    const left = { IBAN: { 95: { CREDIT_CARD: [85] } } };
    const right = { IBAN: { 95: { CREDIT_CARD: [50, 85], ABA: [60] } }, SSN: { 90: { PHONE: [55] } } };
    expect(mergeOverlaps(left, right)).toEqual({
      IBAN: { 95: { ABA: [60], CREDIT_CARD: [50, 85] } },
      SSN: { 90: { PHONE: [55] } },
    });
  });
});
