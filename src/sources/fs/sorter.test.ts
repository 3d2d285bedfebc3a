import { describe, expect, it } from 'vitest';
import { createSorter } from './sorter.ts';

function sorted(names: readonly string[]): { names: readonly string[]; turns: number } {
  const sorter = createSorter();
  for (const name of names) sorter.add(name);
  const work = sorter.finish();
  for (let turns = 0; ; turns++) {
    const { done, value } = work.next();
    if (done) return { names: value, turns };
  }
}

describe('cooperative sorting of names', () => {
  it.each([0, 1, 2, 16_383, 16_384, 16_385, 100_000])('%d names are sorted', (count) => {
    const names = Array.from({ length: count }, (_, i) => `${(i * 7919) % count}`);
    expect(sorted(names).names).toEqual([...names].sort());
  });

  it('of very many names yields to the event loop', () => {
    const names = Array.from({ length: 100_000 }, (_, i) => `${i}`);
    expect(sorted(names).turns).toBeGreaterThan(3);
  });

  it('removes duplicates, adjacent or not', () => {
    const names = Array.from({ length: 40_000 }, (_, i) => `${i % 30_000}`);
    expect(sorted(['a', 'b', 'a']).names).toEqual(['a', 'b']);
    expect(sorted(names).names).toHaveLength(30_000);
  });
});
