import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PatternMatcher } from '../pattern/match.ts';
import { parsePattern } from '../pattern/parse.ts';
import { combineNfas, MAX_DEPTH } from './combined-nfa.ts';
import { DetectorSets, WITH_LABEL } from './detector-sets.ts';
import { LazyDfa, rowBytes } from './lazy-dfa.ts';

const PATTERNS = [
  String.raw`\b\d{3}-\d{2}\b`,
  String.raw`\b\d{2,5}\b`,
  'ab+c',
  '(?i)b[a-c]{2,}',
  String.raw`a\b ?1`,
  '[ab]{1,3}-',
  'a{25}',
];

/** `rows`: the capacity of the table. */
function tableOf(patterns: readonly string[], rows = 5000): LazyDfa {
  const wanted = patterns.map((pattern, owner) => ({ owner, pattern: parsePattern(pattern).root }));
  const nfa = combineNfas([wanted]);
  const steps = new Int32Array((rows * rowBytes(nfa)) / 4);
  return new LazyDfa(nfa, steps, new DetectorSets());
}

function whoAt(table: LazyDfa, text: string): readonly number[] {
  return table.detectorSets.at(table.run(Buffer.from(`${text}\0`), 0, 0)).unconditional;
}

const texts = fc.string({ unit: fc.constantFrom(...'aabbcABC12-  '), maxLength: 30 });

describe('the lazy DFA', () => {
  it('finds whose patterns match at a position', () => {
    const table = tableOf(PATTERNS);
    expect(whoAt(table, '123-45')).toEqual([0, 1]);
    expect(whoAt(table, '123-456')).toEqual([1]);
    expect(whoAt(table, 'abbbc')).toEqual([2]);
    expect(whoAt(table, 'xyz')).toEqual([]);
  });

  it('agrees with each pattern run alone, on any text', () => {
    const short = PATTERNS.slice(0, -1);
    const table = tableOf(short);
    const matchers = short.map((pattern) => new PatternMatcher(parsePattern(pattern)));
    fc.assert(
      fc.property(texts, (text) => {
        const bytes = Buffer.from(`${text}\0`);
        const alone = matchers.flatMap((matcher, who) =>
          matcher.longestFrom(bytes, 0, MAX_DEPTH - 1) === -1 ? [] : [who],
        );
        // A pattern longer than MAX_DEPTH may yield false positives, never false negatives.
        expect(whoAt(table, text)).toEqual(expect.arrayContaining(alone));
        if (text.length < MAX_DEPTH) expect(whoAt(table, text)).toEqual(alone);
      }),
      { numRuns: 2000 },
    );
  });

  it('yields every pattern that may still match beyond its depth', () => {
    expect(whoAt(tableOf(PATTERNS), 'a'.repeat(MAX_DEPTH))).toContain(6);
    expect(whoAt(tableOf(PATTERNS), 'a'.repeat(MAX_DEPTH - 1))).not.toContain(6);
  });

  it('gives the same results if the table is too small and is flushed', () => {
    const [large, small] = [tableOf(PATTERNS), tableOf(PATTERNS, 4)];
    fc.assert(
      fc.property(texts, (text) => {
        expect(whoAt(small, text)).toEqual(whoAt(large, text));
      }),
      { numRuns: 500 },
    );
  });

  it('terminates on repetitions of what may be empty', () => {
    expect(whoAt(tableOf(['a(?:(?:b?)*)*c', 'x(?:b*)+y']), 'abbc')).toEqual([0]);
  });

  it('separates detectors that require a label', () => {
    const outcomes = new DetectorSets();
    expect(outcomes.at(outcomes.numberOf([7, 3 + WITH_LABEL, 7]))).toEqual({
      unconditional: [7],
      ifLabelled: [3],
    });
    expect(outcomes.numberOf([3 + WITH_LABEL, 7])).toBe(outcomes.numberOf([7, 3 + WITH_LABEL]));
  });
});
