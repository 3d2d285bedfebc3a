import { describe, expect, it } from 'vitest';
import { compileAttributeFilter } from './attribute-filter.ts';

describe('a condition on attributes', () => {
  it('is one jsonpath predicate in which names and values are quoted', () => {
    const { jsonpath, names } = compileAttributeFilter(`status == "open" and not amount > 1000`);
    expect(jsonpath).toBe('(exists($."status" ? (@ == "open")) && !(exists($."amount" ? (@ > 1000))))');
    expect(names).toMatchObject([
      { name: 'status', start: 0, end: 6 },
      { name: 'amount', start: 25, end: 31 },
    ]);
  });

  it.each([
    [`amount > 'many'`, 10, "'>' needs a number or a date"],
    ['amount > 10KB', 10, 'without a unit'],
    ['status = open', 10, 'open is not in quotes'],
    [`status ~ 'o.*'`, 8, "attributes have no '~'"],
    ['status contains 5', 17, 'contains needs a text'],
    ['has(SSN)', 1, "no function 'has' for attributes"],
    ['count(x) > 5', 1, `count() can't be compared`],
    [`status = 'a\0'`, 10, 'no attribute holds such a character'],
    ['status =', 9, 'a value is missing'],
    [`status = 'open`, 10, 'this quote is never closed'],
  ])('%s is rejected with its position', (text, column, message) => {
    expect(() => compileAttributeFilter(text)).toThrow(
      expect.objectContaining({ kind: 'usage', message: expect.stringContaining(message) }),
    );
    expect(() => compileAttributeFilter(text)).toThrow(`(column ${column})`);
  });
});
