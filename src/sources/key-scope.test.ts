import { describe, expect, it } from 'vitest';
import { keyOf } from '../base/key.ts';
import { createSampler } from './key-scope.ts';

const keys = Array.from({ length: 20_000 }, (_, i) => keyOf(`folder-${i % 7}/file-${i}.txt`));
const sampleOf = (percent: number) => keys.filter(createSampler(percent));

describe('a sample', () => {
  it.each([1, 10, 50, 90])('of %d percent contains about that share', (percent) => {
    expect(Math.abs(sampleOf(percent).length / 200 - percent)).toBeLessThan(1);
  });

  it('of 0 percent is empty, of 100 percent everything', () => {
    expect(sampleOf(0)).toEqual([]);
    expect(sampleOf(100)).toEqual(keys);
  });

  it('is a subset of every larger one', () => {
    const larger = new Set(sampleOf(20));
    expect(sampleOf(5).every((key) => larger.has(key))).toBe(true);
  });

  it('is the same on every machine', () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'größe', '😀'];
    expect(names.filter((name) => createSampler(50)(keyOf(name)))).toMatchInlineSnapshot(`
      [
        "a",
        "c",
        "e",
        "g",
        "h",
        "😀",
      ]
    `);
  });

  it.each([-1, 101, Number.NaN])('of %d percent is rejected', (percent) => {
    expect(() => createSampler(percent)).toThrow(expect.objectContaining({ kind: 'usage' }));
  });
});
