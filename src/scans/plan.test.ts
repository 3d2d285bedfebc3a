import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contains, EVERYTHING } from '../base/range.ts';
import { createMemorySource } from '../sources/memory/memory.ts';
import { planRanges } from './plan.ts';

const names = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 8 }), { maxLength: 60 });

describe('a plan', () => {
  it('leaves a small source in one piece', async () => {
    expect(await planRanges(createMemorySource({ a: '1', b: '2' }))).toEqual([EVERYTHING]);
  });

  it('puts every key into exactly one range, whatever the keys and however many ranges are wanted', async () => {
    await fc.assert(
      fc.asyncProperty(names, fc.constantFrom(2, 4, 8, 16), async (keys, want) => {
        const source = createMemorySource(Object.fromEntries(keys.map((key) => [key, 'x'])));
        const ranges = await planRanges(source, { want, small: 0 });
        for await (const batch of source.list(EVERYTHING, new AbortController().signal)) {
          for (const { key } of batch) expect(ranges.filter((range) => contains(range, key))).toHaveLength(1);
        }
        expect(ranges[0]!.after).toBe('');
        expect(ranges.at(-1)!.upTo).toBeNull();
      }),
    );
  });
});
