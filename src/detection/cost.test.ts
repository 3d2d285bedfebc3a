import { describe, expect, it } from 'vitest';
import { costSample, measureCost } from './cost.ts';
import { customDetector } from './custom.ts';

const word = (id: string) =>
  customDetector({
    id,
    title: id,
    category: 'contact',
    regulations: [],
    risk: 1,
    pattern: `${id}-\\d{4}`,
    checks: [],
    context: { words: [] },
    labelled: false,
    confidence: 0.8,
    examples: { match: [], not: [] },
  });

describe('the cost of a detector', () => {
  it('is measured alone and together with the others', () => {
    const cost = measureCost(word('ABC'), [word('ABC'), word('DEF')], 3);
    for (const ns of Object.values(cost)) expect(ns).toBeGreaterThan(0);
  });

  it('is measured on the same text each time', () => {
    expect(costSample().equals(costSample())).toBe(true);
    expect(costSample().length).toBe(256 * 1024);
  });
});
