import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Key } from '../../base/key.ts';
import { contains, FULL_RANGE } from '../../base/range.ts';
import {
  type CountedRange,
  clip,
  countedPage,
  mergeEmpty,
  replaceOverlaps,
  thinSamples,
} from './counted-range.ts';
import { someKeys } from './some-keys.fixture.ts';

/** All keys in `(after, upTo]`, every one a sample. */
function counted(keys: readonly Key[], after = FULL_RANGE.after, upTo: Key | null = null): CountedRange {
  const inside = keys.filter((key) => contains({ after, upTo }, key));
  return { after, upTo, count: inside.length, bytes: 0, keys: inside, places: inside.map((_, i) => i) };
}

describe('a counted range', () => {
  it('of a page is its keys up to the last, or up to the end when there are no more', () => {
    const keys = ['a', 'b', 'c'] as Key[];
    const page = { keys, bytes: 30, more: true };
    expect(countedPage(FULL_RANGE, page)).toMatchObject({ upTo: 'c', count: 3, keys, places: [0, 1, 2] });
    expect(countedPage(FULL_RANGE, { ...page, more: false }).upTo).toBeNull();
  });

  it('of a page of a thousand keeps the first, the last and some between, and fewer when it is stored', () => {
    const keys = Array.from({ length: 1000 }, (_, i) => String(i).padStart(3, '0') as Key);
    const all = countedPage(FULL_RANGE, { keys, bytes: 0, more: true });
    for (const one of [all, thinSamples(all)]) {
      expect([one.keys[0], one.keys.at(-1), one.count]).toEqual(['000', '999', 1000]);
      for (const [i, key] of one.keys.entries()) expect(keys[one.places[i]!]).toBe(key);
    }
    expect(thinSamples(all).keys.length).toBeLessThan(all.keys.length);
  });

  it('cut in two adds up, wherever the cut is', () => {
    const property = fc.property(someKeys, fc.nat(), (keys, at) => {
      const sorted = [...keys].sort();
      const cut = sorted[at % sorted.length]!;
      const whole = counted(sorted);
      const left = clip(whole, { after: FULL_RANGE.after, upTo: cut })!;
      const right = clip(whole, { after: cut, upTo: null })!;
      expect([left.count, right.count]).toEqual([
        counted(sorted, FULL_RANGE.after, cut).count,
        counted(sorted, cut).count,
      ]);
      expect([...left.keys, ...right.keys]).toEqual(sorted);
    });
    fc.assert(property);
  });

  it('never overlaps: what is newer replaces what it covers', () => {
    const property = fc.property(
      someKeys,
      fc.array(fc.nat(), { minLength: 2, maxLength: 12 }),
      (keys, at) => {
        const sorted = [...keys].sort();
        const bound = (n: number) => sorted[n % sorted.length]!;
        let all: CountedRange[] = [];
        for (const [i, n] of at.slice(1).entries()) {
          const [a, b] = [bound(at[i]!), bound(n)].sort() as [Key, Key];
          if (a !== b) all = replaceOverlaps(all, counted(sorted, a, b));
        }
        for (const [i, one] of all.slice(1).entries()) expect(one.after >= all[i]!.upTo!).toBe(true);
        for (const one of all) expect(one.count).toBe(counted(sorted, one.after, one.upTo).count);
        expect(mergeEmpty(all).reduce((sum, one) => sum + one.count, 0)).toBe(
          all.reduce((sum, one) => sum + one.count, 0),
        );
      },
    );
    fc.assert(property);
  });
});
