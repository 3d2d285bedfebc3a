import { expect, it } from 'vitest';
import { mayBegin, mayStandAlone } from './may-begin.ts';

function bitsOf(patterns: readonly string[], text: string, formsOf = mayStandAlone): number {
  const bytes = Buffer.alloc(300);
  bytes.write(text);
  return formsOf(patterns).at(bytes, 0);
}

it('decides for each pattern whether it may begin at a position', () => {
  expect(bitsOf(['AT\\d{3}', '[A-Z]{2}\\d{3}', 'DE\\d{3}'], 'AT123')).toBe(0b011);
  expect(bitsOf(['AT\\d{3}', '[A-Z]{2}\\d{3}', 'DE\\d{3}'], 'AT12x')).toBe(0);
});

it('tests every alternative separately', () => {
  expect(bitsOf(['(?:ab|cd)\\d'], 'cd1')).toBe(1);
  expect(bitsOf(['(?:ab|cd)\\d'], 'ad1')).toBe(0);
});

it('also tests the length of a run of letters and digits', () => {
  expect(bitsOf(['1[a-z]{20,30}'], `1${'a'.repeat(20)}`)).toBe(1);
  expect(bitsOf(['1[a-z]{20,30}'], `1${'a'.repeat(30)} b`)).toBe(1);
  expect(bitsOf(['1[a-z]{20,30}'], `1${'a'.repeat(19)} b`)).toBe(0);
  expect(bitsOf(['1[a-z]{20,30}'], `1${'a'.repeat(31)}`)).toBe(0);
});

it("rejects a run that contains bytes outside the pattern's set", () => {
  expect(bitsOf(['1[a-z]{20,30}'], `1${'a'.repeat(18)}Ba`)).toBe(0);
});

it('ignores the run length for mere beginnings', () => {
  expect(bitsOf(['1[a-z]{3}'], '1abcd', mayBegin)).toBe(1);
  expect(bitsOf(['1[a-z]{3}'], '1abcd')).toBe(0);
});

it('supports more alternatives than a number has bits', () => {
  const patterns = ['ab', 'cd', 'ef', 'gh'].map((word) => `(?:${word}|[0-4]x|[5-9]y)(?:-|_|#)(?:1|2|3)`);
  expect(bitsOf(patterns, 'cd-1')).toBe(0b0010);
  expect(bitsOf(patterns, 'cf-1')).toBe(0);
  expect(bitsOf(patterns, '7y#3')).toBe(0b1111);
  expect(bitsOf(patterns, '7x#3')).toBe(0);
});

it('ignores the run length for values with blanks or punctuation', () => {
  expect(bitsOf(['\\d{3} \\d{3}'], '123 456')).toBe(1);
  expect(bitsOf(['\\d{3} \\d{3}'], '123 4567')).toBe(1);
});
