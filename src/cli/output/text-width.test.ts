import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { padEnd, padStart, truncateEnd, truncateMiddle, widthOf, wrap } from './text-width.ts';

describe('the width of a text', () => {
  it.each([
    ['abc', 3],
    ['東京', 4],
    ['e\u0301', 1],
    ['👍', 2],
    ['👩‍👩‍👧', 2],
    ['ﾊﾝ', 2],
    ['한국', 4],
    ['\u200d', 0],
  ])('of %j is %i', (text, width) => {
    expect(widthOf(text)).toBe(width);
  });

  it('is what padding fills up', () => {
    expect(padEnd('東', 4)).toBe('東  ');
    expect(padStart('東', 4)).toBe('  東');
    expect(padEnd('long', 2)).toBe('long');
  });
});

describe('truncating', () => {
  it('takes the middle out of a path and keeps more of its end', () => {
    expect(truncateMiddle('finance/2023/payroll/export-final.csv', 20)).toBe('financ…ort-final.csv');
  });

  it('leaves what fits alone', () => {
    expect(truncateMiddle('a/b', 3)).toBe('a/b');
    expect(truncateEnd('abc', 3)).toBe('abc');
  });

  it('never exceeds the width, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 0, max: 30 }), (text, width) => {
        expect(widthOf(truncateMiddle(text, width))).toBeLessThanOrEqual(width);
        expect(widthOf(truncateEnd(text, width, '...'))).toBeLessThanOrEqual(width);
      }),
    );
  });

  it('does not cut a character of two columns in half', () => {
    expect(truncateEnd('東京都', 4)).toBe('東…');
  });
});

describe('wrapping', () => {
  it('breaks between words', () => {
    expect(wrap('one two three', 8)).toEqual(['one two', 'three']);
  });

  it('puts a word that is too long on a line of its own', () => {
    expect(wrap('a extraordinarily b', 5)).toEqual(['a', 'extraordinarily', 'b']);
  });
});
