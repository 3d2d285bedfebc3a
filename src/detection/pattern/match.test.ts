import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PatternMatcher } from './match.ts';
import { parsePattern } from './parse.ts';
import { PatternError } from './pattern-error.ts';

const MAX_BYTES = 64;

function longest(pattern: string, text: string, at = 0, max = MAX_BYTES): string | null {
  const bytes = Buffer.from(text);
  const end = new PatternMatcher(parsePattern(pattern)).longestFrom(bytes, at, max);
  return end === -1 ? null : bytes.toString('utf8', at, end);
}

/** The RegExp equivalent of our `\b`: no letter or digit on both sides. */
const BORDER = '(?:(?<![A-Za-z0-9])|(?![A-Za-z0-9]))';

/** The naive reference: the largest n for which the first n bytes match completely. */
function slowly(pattern: string, text: string, at: number, max: number): string | null {
  const source = pattern.replaceAll('\\b', BORDER);
  for (let end = Math.min(text.length, at + max); end >= at; end--) {
    const whole = new RegExp(`^[^]{${at}}(?:${source})[^]{${text.length - end}}$`);
    if (whole.test(text)) return text.slice(at, end);
  }
  return null;
}

const { pattern } = fc.letrec<{ pattern: string; item: string }>((tie) => ({
  pattern: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.array(tie('item'), { minLength: 1, maxLength: 3 }).map((items) => items.join('')),
    fc.array(tie('pattern'), { minLength: 2, maxLength: 3 }).map((options) => `(?:${options.join('|')})`),
  ),
  item: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom('a', 'b', '1', '-', '[ab]', '[^a]', '\\d', '\\w', '.', '\\b', '\\s'),
    fc
      .tuple(
        tie('pattern').filter((inner) => inner !== '\\b'),
        fc.constantFrom('?', '*', '+', '{2}', '{1,3}', '{0,2}', '{2,}'),
      )
      .map(([inner, count]) => `(?:${inner})${count}`),
  ),
}));
/** Longer ones test the limits, and RegExp would take exponential time for some of them. */
const small = pattern.filter((source) => source.length <= 60 && isAllowed(source));

function isAllowed(source: string): boolean {
  try {
    return new PatternMatcher(parsePattern(source)) !== null;
  } catch (error) {
    if (error instanceof PatternError) return false;
    throw error;
  }
}

const text = fc.string({ unit: fc.constantFrom('a', 'b', '1', '-', ' ', '_'), maxLength: 12 });

describe('a match', () => {
  it.each([
    ['\\d{3}', '12345', '123'],
    ['a|ab|abc', 'abcd', 'abc'],
    ['(?:ab)+', 'ababa', 'abab'],
    ['ab?', 'b', null],
    ['(?i)acct-\\d+', 'AcCt-42x', 'AcCt-42'],
    ['é+', 'éé!', 'éé'],
    ['[^,]+', 'one,two', 'one'],
    ['a.c', 'a\nc', null],
  ])('of %s in %j is %j', (source, within, match) => {
    expect(longest(source, within)).toBe(match);
  });

  it('respects word boundaries', () => {
    expect(longest('\\b\\d{3}\\b', '123 ')).toBe('123');
    expect(longest('\\b\\d{3}\\b', '1234')).toBeNull();
    expect(longest('\\b\\d{3}\\b', 'x123', 1)).toBeNull();
    expect(longest('\\b\\d{3}\\b', '-123', 1)).toBe('123');
  });

  it('is never longer than the maximum', () => {
    expect(longest('a+', 'a'.repeat(100), 0, 10)).toHaveLength(10);
    expect(longest('a{11}', 'a'.repeat(100), 0, 10)).toBeNull();
  });

  it('may be empty if the pattern allows it', () => {
    expect(longest('a*', 'b')).toBe('');
  });

  it('is the longest that an equivalent RegExp accepts', () => {
    fc.assert(
      fc.property(small, text, fc.nat(4), fc.integer({ min: 0, max: 14 }), (source, within, from, max) => {
        const at = Math.min(from, within.length);
        expect(longest(source, within, at, max)).toBe(slowly(source, within, at, max));
      }),
      { numRuns: 3000 },
    );
  });
});

describe('consecutive attempts', () => {
  /** Texts of long runs, so that attempts reach the states of earlier ones. */
  const long = fc
    .array(fc.tuple(fc.constantFrom('a', 'ab', 'a-', 'b1 ', '-', '1'), fc.integer({ min: 1, max: 40 })), {
      maxLength: 6,
    })
    .map((pieces) => pieces.map(([piece, times]) => piece.repeat(times)).join(''));

  it('give the same results as single attempts', () => {
    fc.assert(
      fc.property(
        small,
        long,
        fc.integer({ min: 1, max: 120 }),
        fc.nat(200),
        (source, within, max, shift) => {
          const parsed = parsePattern(source);
          const one = new PatternMatcher(parsed);
          const bytes = Buffer.from(within);
          for (let at = 0; at < bytes.length; at += 1 + (at % 3)) {
            const alone = new PatternMatcher(parsed).longestFrom(bytes, at, max);
            expect(one.longestFrom(bytes, at, max)).toBe(alone);
          }
          // The window has moved: the same positions have other bytes.
          const moved = bytes.subarray(Math.min(shift, bytes.length));
          for (let at = 0; at < moved.length; at += 2)
            expect(one.longestFrom(moved, at, max)).toBe(
              new PatternMatcher(parsed).longestFrom(moved, at, max),
            );
        },
      ),
      { numRuns: 200 },
    );
  });

  it('give the same results while the cache is flushed', () => {
    const parsed = parsePattern('(?:a|b)*a(?:a|b){12}c?');
    const one = new PatternMatcher(parsed);
    const bytes = Buffer.from(
      Array.from({ length: 2000 }, (_, n) => 'ab'[((n * 2654435761) >>> 9) & 1]).join(''),
    );
    for (let at = 0; at < 400; at += 7)
      expect(one.longestFrom(bytes, at, 1500)).toBe(new PatternMatcher(parsed).longestFrom(bytes, at, 1500));
  });
});

describe('a hostile pattern', () => {
  /** Counts byte accesses: a backtracking matcher would read some bytes twice. */
  function accesses(source: string, within: string): number {
    const bytes = Buffer.from(within);
    let count = 0;
    const counted = new Proxy(bytes, {
      get(target, name) {
        if (typeof name === 'string' && /^\d+$/.test(name)) count++;
        return Reflect.get(target, name, target);
      },
    });
    new PatternMatcher(parsePattern(source)).longestFrom(counted, 0, within.length);
    return count;
  }

  it.each([
    '(?:a*)*b',
    '(?:a|a)*b',
    '(?:a|aa)+b',
    '(?:(?:a+)+)+b',
    '(?:a?){50}a{50}b',
    '(?:.*,){10}b',
    '(?:a|b)*a(?:a|b){12}c',
  ])('%s reads each byte once', (source) => {
    expect(accesses(source, 'aab,'.repeat(1000))).toBeLessThanOrEqual(4001);
    expect(accesses(source, 'a'.repeat(4000))).toBeLessThanOrEqual(4001);
  });

  it('gives the same results although its cache is flushed repeatedly', () => {
    const matcher = new PatternMatcher(parsePattern('(?:a|b)*a(?:a|b){12}c'));
    const random = Array.from({ length: 3000 }, (_, n) => ((n * 2654435761) >>> 7) & 1);
    const within = `${random.map((bit) => 'ab'[bit]).join('')}a${'b'.repeat(12)}c`;
    expect(matcher.longestFrom(Buffer.from(within), 0, 4096)).toBe(within.length);
  });

  it.each(['(?:a{1,50}){1,50}', '(?:(?:a{30}){30}){3}', '\\w{999}\\w{999}'])(
    '%s is too large, and says so',
    (source) => {
      expect(() => new PatternMatcher(parsePattern(source))).toThrow(PatternError);
    },
  );
});
