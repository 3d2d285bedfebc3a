import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FIRST_KEY, type Key, keyFromBytes, keyOf } from './key.ts';
import { contains, FULL_RANGE } from './range.ts';

const key = fc.uint8Array({ minLength: 1, maxLength: 4 }).map(keyFromBytes);

describe('a range', () => {
  it('is open at the start and closed at the end', () => {
    const range = { after: keyOf('b'), upTo: keyOf('d') };
    const held = ['a', 'b', 'b\0', 'c', 'd', 'd\0', 'e'].filter((name) => contains(range, keyOf(name)));
    expect(held).toEqual(['b\0', 'c', 'd']);
  });

  it('a key equal to a bound belongs to the left range', () => {
    expect(contains({ after: FIRST_KEY, upTo: keyOf('m') }, keyOf('m'))).toBe(true);
    expect(contains({ after: keyOf('m'), upTo: null }, keyOf('m'))).toBe(false);
  });

  it('a key that is a prefix of a bound is before it', () => {
    expect(contains({ after: keyOf('ab'), upTo: null }, keyOf('a'))).toBe(false);
    expect(contains({ after: FIRST_KEY, upTo: keyOf('ab') }, keyOf('a'))).toBe(true);
  });

  it('of everything holds every key', () => {
    fc.assert(fc.property(key, (k) => contains(FULL_RANGE, k)));
  });

  it('between equal bounds is empty', () => {
    fc.assert(fc.property(key, key, (bound, k) => !contains({ after: bound, upTo: bound }, k)));
  });

  it('any partition holds every key exactly once', () => {
    const property = fc.property(fc.array(key), fc.array(key), (cuts, keys) => {
      const bounds: Key[] = [...cuts].sort();
      const ranges = [FIRST_KEY, ...bounds].map((after, i) => ({ after, upTo: bounds[i] ?? null }));
      // Errors are most likely at the bounds, so they are used as keys.
      for (const k of [...keys, ...cuts])
        expect(ranges.filter((range) => contains(range, k))).toHaveLength(1);
    });
    fc.assert(property);
  });
});
