import { describe, expect, it } from 'vitest';
import { DETECTOR_INFOS } from '../rules.fixture.ts';
import { describeCondition, formatCondition } from './describe.ts';

const WHEN = {
  allOf: [
    { one: 'SSN' },
    { anyOf: [{ one: 'category:contact', minCount: 3 }, { one: 'CREDIT_CARD' }], minConfidence: 0.7 },
  ],
  minCount: 10,
};

describe('a condition in words', () => {
  it('is one line per condition, indented by nesting, and explains categories', () => {
    expect(describeCondition(WHEN, DETECTOR_INFOS)).toEqual([
      'all of (at least 10):',
      '  SSN',
      '  any of (as sure as 0.7):',
      '    category:contact = EMAIL, PHONE (at least 3)',
      '    CREDIT_CARD',
    ]);
  });

  it('fits on one line', () => {
    expect(formatCondition(WHEN)).toBe(
      '(SSN and (category:contact (at least 3) or CREDIT_CARD) (as sure as 0.7)) (at least 10)',
    );
    expect(formatCondition({ anyOf: [{ one: 'SSN' }] })).toBe('SSN');
  });

  it('names some of many', () => {
    const many = Array.from({ length: 20 }, (_, n) => ({ ...DETECTOR_INFOS[0]!, id: `T${n}` }));
    expect(describeCondition({ one: 'category:direct_identifier' }, many)[0]).toMatch(/T7 and 12 more$/);
  });
});
