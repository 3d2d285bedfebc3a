import { describe, expect, it } from 'vitest';
import { compilePattern } from './pattern.ts';

describe('compilePattern', () => {
  it.each([
    String.raw`\.csv$`,
    '^hr/.*[.]xlsx?$',
    '(invoice|receipt)s?/',
    String.raw`\.(docx?|xlsx?|pptx?|pdf)$`,
    String.raw`^(\d{4}-){2}\d+`,
    '(?:ab)+',
    '(foo.*)?bar',
    '(a|b){1}',
    '(?<year>2025)/(?=q)',
    String.raw`[(+*]+\(?`,
    String.raw`\\(ab)+`,
    String.raw`\p{Lu}+`,
    '',
  ])('takes %s', (pattern) => {
    expect(compilePattern(pattern)).toBeInstanceOf(RegExp);
  });

  it.each([
    ['(a+)+', 4],
    ['(a*)*b', 4],
    ['(?:a?b)+', 7],
    ['(a|aa)+$', 6],
    ['((a+)b)*', 7],
    ['(x(a|b))+', 8],
    ['(a+){2,}', 4],
    ['(a+){20}', 4],
    ['(?:(a+)?){9}', 9],
    ['(?i)(a+)+', 8],
    [String.raw`(a)\1`, 3],
    [String.raw`(?<x>a)\k<x>`, 7],
    ['a?'.repeat(30), 21],
    ['.*'.repeat(30), 11],
    ['(a|b)'.repeat(30), 52],
    ['x'.repeat(501), 500],
  ])('refuses %s at %d', (pattern, at) => {
    expect(compilePattern(pattern)).toMatchObject({
      at,
      message: expect.any(String),
      hint: expect.any(String),
    });
  });

  it.each(['a(', '[a', '*', 'a{2', String.raw`\_`])('reports that %s is no pattern', (pattern) => {
    expect(compilePattern(pattern)).toMatchObject({
      message: expect.stringMatching(/^this is not a pattern: \w/),
    });
  });

  it('matches in any case after (?i)', () => {
    expect(
      [compilePattern('(?i)csv'), compilePattern('csv')].map((p) => p instanceof RegExp && p.test('A.CSV')),
    ).toEqual([true, false]);
  });
});
