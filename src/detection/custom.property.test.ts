/** The prefilter must never be stricter than the pattern: compared with a RegExp tried at every position. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { customDetector, MIN_PATTERN_BYTES, minLengthOf } from './custom.ts';
import { compileExampleCheck } from './examples.ts';
import { PatternError } from './pattern/pattern-error.ts';

const { pattern } = fc.letrec<{ pattern: string; item: string }>((tie) => ({
  pattern: fc.oneof(
    { maxDepth: 3 },
    fc.array(tie('item'), { minLength: 1, maxLength: 4 }).map((items) => items.join('')),
    fc.array(tie('pattern'), { minLength: 2, maxLength: 3 }).map((options) => `(?:${options.join('|')})`),
  ),
  item: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(
      'A',
      'b',
      '7',
      '-',
      '#',
      '[ab]',
      '[A-C]',
      '\\d',
      '\\w',
      '[^a]',
      '\\s',
      'é',
      '\\d{3,20}',
      '[a-z]{2,}',
    ),
    fc
      .tuple(tie('pattern'), fc.constantFrom('?', '*', '+', '{2}', '{1,3}', '{2,}'))
      .map(([inner, count]) => `(?:${inner})${count}`),
  ),
}));
const custom = fc
  .tuple(
    fc.constantFrom('', '(?i)'),
    pattern.filter((source) => source.length <= 50),
  )
  .map((parts) => parts.join(''));
const text = fc.string({
  unit: fc.constantFrom('A', 'b', 'a', '7', '-', '#', ' ', 'é', '\n'),
  maxLength: 24,
});

const NO_MORE = '(?:(?<![A-Za-z0-9])|(?![A-Za-z0-9]))';

/** Whether some match stands alone anywhere in the text. */
function isSomewhere(source: string, within: string): boolean {
  const anyCase = source.startsWith('(?i)');
  const bytes = Buffer.from(within).toString('latin1');
  const plain = Buffer.from(source.slice(anyCase ? 4 : 0))
    .toString('latin1')
    .replaceAll('Ã©', '(?:Ã©)');
  const found = new RegExp(
    `${NO_MORE}(?:${plain.replaceAll('[^a]', anyCase ? '[^aA\\n]' : '[^a\\n]')})${NO_MORE}`,
    anyCase ? 'i' : '',
  );
  return found.test(bytes);
}

/** Whether the pattern is within the size limits. */
function isAllowed(source: string): boolean {
  try {
    return minLengthOf(source) >= MIN_PATTERN_BYTES;
  } catch (error) {
    if (error instanceof PatternError) return false;
    throw error;
  }
}

describe('a custom detector of any pattern', () => {
  it('finds something exactly where the pattern matches', () => {
    let tried = 0;
    fc.assert(
      fc.property(custom, fc.array(text, { minLength: 4, maxLength: 8 }), (source, texts) => {
        if (!isAllowed(source)) return;
        const detector = customDetector({
          id: 'X',
          title: 'X',
          category: 'contact',
          regulations: [],
          risk: 1,
          pattern: source,
          checks: [],
          context: { words: [] },
          labelled: false,
          confidence: 0.9,
          examples: { match: [], not: [] },
        });
        const trial = compileExampleCheck(detector, 0.5);
        if (trial === null) return;
        for (const within of texts) {
          tried++;
          const finds = trial(within, false) !== null;
          expect({ within, finds }).toEqual({ within, finds: isSomewhere(source, within) });
        }
      }),
      { numRuns: 250 },
    );
    expect(tried).toBeGreaterThan(300);
  }, 60_000);
});
