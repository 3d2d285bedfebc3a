import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Key, keyOf } from '../../base/key.ts';
import { contains, EVERYTHING, type Range } from '../../base/range.ts';
import { createMemorySource } from '../../sources/memory/memory.ts';
import type { Source } from '../../sources/source.ts';
import { estimateSource } from './estimate-source.ts';
import { look } from './looking.ts';
import { planSteps } from './plan-steps.ts';
import { splitSteps } from './splitting.ts';
import { isValidUtf8 } from './valid-utf8.ts';

const never = new AbortController().signal;

/** A store that holds these keys, and gives at most `most` of them at once. */
function store(keys: readonly Key[], most = 1000): Source & { calls: number } {
  const sorted = [...keys].sort();
  const source = {
    ...createMemorySource(),
    calls: 0,
    async page(range: Range, wanted: number) {
      source.calls++;
      const inside = sorted.filter((key) => contains(range, key));
      const some = inside.slice(0, Math.min(most, wanted));
      return { keys: some, bytes: some.length * 10, more: inside.length > some.length };
    },
  };
  return source;
}

const part = fc.oneof(
  fc.constantFrom('a', 'b', 'logs', '2024', '01', 'x'.repeat(40), 'größe', '😀', '\uff21', '~', ' '),
  fc.nat({ max: 99_999 }).map(String),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 4 }),
);
const name = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => keyOf(parts.join('/')));
const names = fc.uniqueArray(name, { minLength: 1, maxLength: 200 });

const folders = (count: number) =>
  Array.from({ length: count }, (_, i) =>
    keyOf(`tenant-${i % 17}/2024/${String(i % 12).padStart(2, '0')}/${i}.json`),
  );

describe('splitting', () => {
  it('cuts strictly inside what is free, in order, with keys on either side of every cut', async () => {
    const property = fc.asyncProperty(
      names,
      fc.nat(),
      fc.integer({ min: 2, max: 9 }),
      async (keys, at, ways) => {
        const sorted = [...keys].sort();
        const free = { after: at % 2 === 0 ? ('' as Key) : sorted[at % sorted.length]!, upTo: null };
        const { result } = await look(
          store(keys, 7),
          splitSteps(free, [], { ways, rounds: 3, least: 2 }),
          never,
        );
        const bounds = [free.after, ...result.cuts];
        for (const [i, after] of bounds.entries()) {
          const range = { after, upTo: result.cuts[i] ?? null };
          expect(sorted.some((key) => contains(range, key)) || result.cuts.length === 0).toBe(true);
        }
        expect([...new Set(result.cuts)].sort()).toEqual(result.cuts);
        expect(result.cuts.every((cut) => cut > free.after)).toBe(true);
      },
    );
    await fc.assert(property, { numRuns: 300 });
  });

  it('cuts at valid text, also between letters beyond the basic plane', async () => {
    const keys = ['\uff21', '😀', '\ue000', '\uffee', '𝒳'].flatMap((letter) =>
      Array.from({ length: 60 }, (_, i) => keyOf(`${letter}/${i}`)),
    );
    const { result } = await look(
      store(keys, 20),
      splitSteps(EVERYTHING, [], { ways: 8, rounds: 4, least: 4 }),
      never,
    );
    expect(result.cuts.length).toBeGreaterThan(2);
    expect(result.cuts.filter((cut) => !isValidUtf8(cut))).toEqual([]);
  });

  it('leaves alone what is too little', async () => {
    const { result } = await look(
      store(folders(50)),
      splitSteps(EVERYTHING, [], { ways: 4, rounds: 3, least: 300 }),
      never,
    );
    expect(result.cuts).toEqual([]);
  });

  it('takes a good part away from folders of folders', async () => {
    const keys = folders(20_000);
    const { result } = await look(
      store(keys, 200),
      splitSteps(EVERYTHING, [], { ways: 4, rounds: 6, least: 100 }),
      never,
    );
    const sizes = ['' as Key, ...result.cuts].map(
      (after, i) => keys.filter((key) => contains({ after, upTo: result.cuts[i] ?? null }, key)).length,
    );
    expect(sizes.length).toBeGreaterThanOrEqual(3);
    expect(Math.max(...sizes)).toBeLessThan(0.9 * keys.length);
  });
});

describe('a plan', () => {
  const settings = { minObjectsPerShard: 1000, maxInitialShards: 32, unknownShards: 4, listCalls: 128 };

  it('leaves a small source in one piece, after a single look', async () => {
    const source = store(folders(900));
    const { result, calls } = await look(source, planSteps(settings), never);
    expect(result.cuts).toEqual([]);
    expect(calls).toBe(1);
  });

  it('never spends more looks than it may, and makes no more shards than it may', async () => {
    const source = store(folders(50_000), 100);
    const { result, calls } = await look(source, planSteps({ ...settings, maxInitialShards: 8 }), never);
    expect(calls).toBeLessThanOrEqual(128);
    expect(calls).toBe(source.calls);
    expect(result.cuts.length).toBeGreaterThan(2);
    expect(result.cuts.length).toBeLessThan(8);
  });
});

describe('an estimate', () => {
  it('of what fits into the looks is exact', async () => {
    const estimate = await estimateSource(store(folders(700)), { calls: 128, signal: never });
    expect(estimate).toMatchObject({ exact: true, objects: { low: 700, likely: 700, high: 700 } });
    expect(estimate.bytes.likely).toBe(7000);
  });

  it('of much more has the truth in its interval', async () => {
    const estimate = await estimateSource(store(folders(60_000), 200), { calls: 64, signal: never });
    expect(estimate.exact).toBe(false);
    expect(estimate.objects.low).toBeLessThanOrEqual(60_000);
    expect(estimate.objects.high).toBeGreaterThanOrEqual(60_000);
  });

  it('of nothing is nothing', async () => {
    expect(await estimateSource(store([]), { calls: 10, signal: never })).toMatchObject({
      exact: true,
      objects: { likely: 0 },
    });
  });
});
