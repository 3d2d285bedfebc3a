import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addContests, addLevels, type Levels, levelOf, reaches, typesOf } from './levels.ts';

const level = fc.integer({ min: 30, max: 99 }).map(String);
const levels: fc.Arbitrary<Levels> = fc.dictionary(
  fc.constantFrom('EMAIL', 'SSN', 'IBAN'),
  fc.dictionary(level, fc.integer({ min: 1, max: 9 }), { minKeys: 1 }),
);

describe('levels', () => {
  it('count what reaches the threshold, and the surest of it', () => {
    const types = typesOf({ SSN: { 45: 2 }, EMAIL: { 45: 7, 85: 120, 95: 3 } }, () => 0.5);
    expect(types).toEqual([{ detector: 'EMAIL', count: 123, confidence: 0.95 }]);
  });

  it('count nothing of a detector that is off', () => {
    expect(typesOf({ EMAIL: { 95: 3 } }, () => null)).toEqual([]);
  });

  it.each([0.29, 0.35, 0.45, 0.55, 0.57, 0.58, 0.7])(
    'of %f reach a threshold that is written the same',
    (written) => {
      expect(reaches(levelOf(written), written)).toBe(true);
      expect(reaches(levelOf(Math.fround(written)), written)).toBe(true);
      expect(reaches(levelOf(written) - 1, written)).toBe(false);
    },
  );

  it('of a sum that is a hair below what it should be reach it all the same', () => {
    expect(0.35 + 0.1).toBeLessThan(0.45);
    expect(reaches(levelOf(0.35 + 0.1), 0.45)).toBe(true);
  });

  it('of two stretches add up to what both together count, whatever the threshold', () => {
    fc.assert(
      fc.property(levels, levels, fc.integer({ min: 30, max: 99 }), (left, right, threshold) => {
        const count = (of: Levels) =>
          typesOf(of, () => threshold / 100).reduce((sum, type) => sum + type.count, 0);
        expect(count(addLevels(left, right))).toBe(count(left) + count(right));
        expect(addLevels(left, right)).toEqual(addLevels(right, left));
      }),
    );
  });

  it('remember every loser of a stretch once', () => {
    const left = { IBAN: { 95: { CREDIT_CARD: [85] } } };
    const right = { IBAN: { 95: { CREDIT_CARD: [50, 85], ABA: [60] } }, SSN: { 90: { PHONE: [55] } } };
    expect(addContests(left, right)).toEqual({
      IBAN: { 95: { ABA: [60], CREDIT_CARD: [50, 85] } },
      SSN: { 90: { PHONE: [55] } },
    });
  });
});
