import { describe, expect, it } from 'vitest';
import { groupDigits, humanBytes, humanSeconds, pluralize } from './quantities.ts';

describe('quantities', () => {
  it.each([
    [0, '0'],
    [999, '999'],
    [1000, '1,000'],
    [1_234_567, '1,234,567'],
  ])('%i is written %s', (n, text) => expect(groupDigits(n)).toBe(text));

  it('counts one thing in the singular', () => {
    expect(pluralize(1, 'object')).toBe('1 object');
    expect(pluralize(0, 'object')).toBe('0 objects');
  });

  it.each([
    [0, '0 B'],
    [999, '999 B'],
    [1000, '1.0 kB'],
    [9_950, '10 kB'],
    [999_400, '999 kB'],
    [999_600, '1.0 MB'],
    [5_204_010_000, '5.2 GB'],
    [3e24, '3,000,000 EB'],
  ])('%d bytes are %s', (bytes, text) => expect(humanBytes(bytes)).toBe(text));

  it.each([
    [0.04, '0.0 s'],
    [3.44, '3.4 s'],
    [9.97, '10 s'],
    [59.6, '1 min 0 s'],
    [3599, '59 min 59 s'],
    [7260, '2 h 1 min'],
  ])('%d seconds are %s', (seconds, text) => expect(humanSeconds(seconds)).toBe(text));
});
