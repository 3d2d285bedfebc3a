import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Key, keyOf } from '../../base/key.ts';
import { contains, FULL_RANGE, type Range } from '../../base/range.ts';
import { countedPage } from './counted-range.ts';
import { isValidUtf8 } from './key-space/valid-utf8.ts';
import { runProbes } from './probing.ts';
import { RangeEstimator } from './range-estimator.ts';
import { folders, never, someKeys, storeOf } from './some-keys.fixture.ts';
import { type SplitHint, splitHintsFor } from './split-hint.ts';
import {
  minSplitSeconds,
  type SplitDecision,
  type StealTarget,
  splitCountFor,
  stealPauseMs,
  stealProbes,
  targetBackoffMs,
} from './steal-decision.ts';

const terms = { ways: 4, least: 2, picky: false };

function victim(range: Range = FULL_RANGE, more: Partial<StealTarget> = {}): StealTarget {
  const { after } = range;
  return { range, cursor: after, reserved: after, listed: 0, page: null, hint: null, left: 1e12, ...more };
}

const steal = async (keys: readonly Key[], from: StealTarget, more = {}, page = 7): Promise<SplitDecision> =>
  (await runProbes(storeOf(keys, page), stealProbes(from, { ...terms, ...more }), never)).result;

const inside = (keys: readonly Key[], range: Range) => keys.filter((key) => contains(range, key));

function partsOf({ cuts }: SplitDecision, { after, upTo }: Range): Range[] {
  return [after, ...cuts].map((from, i) => ({ after: from, upTo: cuts[i] ?? upTo }));
}

describe('a theft', () => {
  it('cuts strictly inside what is free, in order, at valid text, with keys on either side of every cut', async () => {
    const property = fc.asyncProperty(
      someKeys,
      fc.nat(),
      fc.integer({ min: 2, max: 9 }),
      async (keys, at, ways) => {
        const sorted = [...keys].sort();
        const reserved = at % 3 === 0 ? FULL_RANGE.after : sorted[at % sorted.length]!;
        const upTo = at % 5 === 0 ? sorted.at(-1)! : null;
        if (upTo !== null && reserved >= upTo) return;
        const free = { after: reserved, upTo };
        const theft = await steal(keys, victim({ after: FULL_RANGE.after, upTo }, { reserved }), { ways });
        expect([...new Set(theft.cuts)].sort()).toEqual(theft.cuts);
        expect(theft.cuts.length).toBeLessThan(ways);
        for (const cut of theft.cuts) {
          expect(contains(free, cut) && cut !== upTo).toBe(true);
          expect(isValidUtf8(cut)).toBe(true);
        }
        if (theft.cuts.length > 0)
          for (const part of partsOf(theft, free)) expect(inside(keys, part)).not.toEqual([]);
      },
    );
    await fc.assert(property, { numRuns: 300 });
  });

  it('repeated again and again, with what others left behind, leaves every key in exactly one shard', async () => {
    const property = fc.asyncProperty(
      someKeys,
      fc.array(fc.nat(), { maxLength: 12 }),
      async (keys, choices) => {
        const sorted = [...keys].sort();
        const shards: { range: Range; hint: SplitHint | null }[] = [{ range: FULL_RANGE, hint: null }];
        for (const choice of choices) {
          const shard = shards[choice % shards.length]!;
          const own = inside(sorted, shard.range);
          const passed = own.slice(0, own.length === 0 ? 0 : choice % own.length);
          const cursor = passed.at(-1) ?? shard.range.after;
          const from = victim(shard.range, {
            cursor,
            reserved: cursor,
            listed: passed.length,
            hint: shard.hint,
          });
          const theft = await steal(keys, from, { ways: 2 + (choice % 4) });
          const parts = partsOf(theft, shard.range);
          const made = parts.map((range, i) => ({ range, hint: theft.hints[i] ?? null }));
          shards.splice(shards.indexOf(shard), 1, ...made);
        }
        for (const key of sorted) expect(shards.filter(({ range }) => contains(range, key))).toHaveLength(1);
        for (const { range } of shards)
          expect(inside(sorted, range).length > 0 || shards.length === 1).toBe(true);
      },
    );
    await fc.assert(property, { numRuns: 200 });
  });

  it('cuts between letters beyond the basic plane and those that sort before them', async () => {
    const keys = ['\uff21', '😀', '\ue000', '\uffee', '𝒳'].flatMap((letter) =>
      Array.from({ length: 60 }, (_, i) => keyOf(`${letter}/${i}`)),
    );
    const { cuts } = await steal(keys, victim(), { ways: 8, least: 4 }, 20);
    expect(cuts.length).toBeGreaterThan(2);
    expect(cuts.filter((cut) => !isValidUtf8(cut))).toEqual([]);
  });

  it('leaves alone what is too little', async () => {
    expect((await steal(folders(50), victim(), { least: 300 }, 1000)).cuts).toEqual([]);
  });

  it('after a few of its kind leaves no large part of folders in folders, though nobody knew them', async () => {
    const keys = folders(20_000).sort();
    let shards: { range: Range; hint: SplitHint | null }[] = [{ range: FULL_RANGE, hint: null }];
    for (let n = 0; n < 6; n++) {
      const [largest, ...others] = shards.sort(
        (a, b) => inside(keys, b.range).length - inside(keys, a.range).length,
      );
      const theft = await steal(keys, victim(largest!.range, { hint: largest!.hint }), { least: 100 }, 1000);
      const parts = partsOf(theft, largest!.range);
      shards = [...others, ...parts.map((range, i) => ({ range, hint: theft.hints[i]! }))];
    }
    expect(Math.max(...shards.map(({ range }) => inside(keys, range).length))).toBeLessThan(
      0.4 * keys.length,
    );
  });

  it('cuts what its holder has listed already without a look', async () => {
    const keys = folders(900).sort();
    const page = { ...FULL_RANGE, count: 900, bytes: 0, keys, places: keys.map((_, i) => i) };
    const source = storeOf(keys);
    const from = victim(FULL_RANGE, { reserved: keys[99]!, page });
    const { result, calls } = await runProbes(
      source,
      stealProbes(from, { ways: 2, least: 100, picky: false }),
      never,
    );
    expect(calls).toBe(0);
    expect(result.cuts).toEqual([keys[499]]);
    expect(result.hints.map(({ expected, exact }) => [expected, exact])).toEqual([
      [500, true],
      [400, true],
    ]);
  });

  it('looks once more at few slow objects of which too little is known to share them out', async () => {
    const keys = folders(900).sort();
    const page = countedPage(FULL_RANGE, { keys, bytes: 0, more: false });
    const range = { after: FULL_RANGE.after, upTo: keys[899]! };
    const from = victim(range, { cursor: keys[839]!, reserved: keys[844]!, listed: 840, page });
    const slow = await runProbes(
      storeOf(keys),
      stealProbes(from, { ways: 2, least: 20, picky: false }),
      never,
    );
    expect(slow.calls).toBe(1);
    const [cut] = slow.result.cuts;
    expect(Math.abs(inside(keys, { after: keys[844]!, upTo: cut! }).length - 27)).toBeLessThan(4);
    expect(slow.result.hints.reduce((sum, { expected }) => sum + expected, 0)).toBe(900);
    const fast = await runProbes(
      storeOf(keys),
      stealProbes(from, { ways: 2, least: 200, picky: false }),
      never,
    );
    expect(fast.calls).toBe(0);
  });

  it('says how far off a part may be that was cut between two known keys', async () => {
    const keys = folders(900).sort();
    const page = countedPage(FULL_RANGE, { keys, bytes: 0, more: false });
    const explorer = new RangeEstimator({ after: keys[10]!, upTo: keys[400]! }, [page]);
    const [hint] = splitHintsFor(explorer, []);
    expect(hint!.slack).toBeGreaterThan(0);
    expect(Math.abs(hint!.expected - 390)).toBeLessThanOrEqual(hint!.slack);
    expect(splitHintsFor(new RangeEstimator(FULL_RANGE, [page]), [])[0]!.slack).toBe(0);
  });

  it('does not look again at what somebody has seen', async () => {
    const keys = folders(30_000).sort();
    const source = storeOf(keys);
    const first = await runProbes(
      source,
      stealProbes(victim(), { ways: 8, least: 300, picky: false }),
      never,
    );
    const last = first.result.hints.length - 1;
    const range = { after: first.result.cuts[last - 1]!, upTo: null };
    const hint = first.result.hints[last]!;
    const fresh = await runProbes(
      source,
      stealProbes(victim(range), { ways: 2, least: 300, picky: false }),
      never,
    );
    const told = await runProbes(
      source,
      stealProbes(victim(range, { hint }), { ways: 2, least: 300, picky: false }),
      never,
    );
    expect(told.calls).toBeLessThan(fresh.calls);
  });

  it('passes a shard over that turns out to have much less than it was chosen for, without a look', async () => {
    const keys = folders(500).sort();
    const page = { ...FULL_RANGE, count: 500, bytes: 0, keys, places: keys.map((_, i) => i) };
    const source = storeOf(keys);
    const hint = { expected: 100_000, exact: false, slack: 0, knowns: [] };
    const from = victim(FULL_RANGE, { page, hint, left: 100_000 });
    const { result, calls } = await runProbes(source, stealProbes(from, { ...terms, picky: true }), never);
    expect([result.skippedTarget, result.cuts, calls]).toEqual([true, [], 0]);
    expect(result.hints[0]).toMatchObject({ expected: 500, exact: true });
  });

  it('passes it over just so when a look shows it, and cuts it after all when there is nothing better', async () => {
    const keys = folders(3000).sort();
    const hint = { expected: 1e6, exact: false, slack: 0, knowns: [] };
    const from = victim(FULL_RANGE, { hint, left: 1e6 });
    const fussy = await steal(keys, from, { picky: true }, 1000);
    expect([fussy.skippedTarget, fussy.cuts]).toEqual([true, []]);
    expect(fussy.hints[0]!.expected).toBeLessThan(1e6 / 2);
    const content = await steal(keys, from, { picky: false }, 1000);
    expect(content.skippedTarget).toBe(false);
    expect(content.cuts.length).toBeGreaterThan(0);
  });

  it('of a shard that nobody has looked at expects nothing, and is not disappointed', async () => {
    const { skippedTarget, cuts } = await steal(folders(3000), victim(), { picky: true }, 1000);
    expect(skippedTarget).toBe(false);
    expect(cuts.length).toBeGreaterThan(0);
  });
});

describe('the terms of a theft', () => {
  it('are two ways for one who is idle, more for many, and never more than 32', () => {
    expect([splitCountFor(1, 10), splitCountFor(30, 10), splitCountFor(999, 1), splitCountFor(0, 0)]).toEqual(
      [2, 4, 32, 2],
    );
  });

  it('let the end be late by a few thousandths, but by seconds at most', () => {
    expect([minSplitSeconds(10), minSplitSeconds(1000), minSplitSeconds(1e6)]).toEqual([1, 3, 5]);
  });

  it('let those who find nothing ask again the sooner the fewer they are, never all the time', () => {
    expect([stealPauseMs(1, 1), stealPauseMs(9, 1), stealPauseMs(9, 300), stealPauseMs(9, 5000)]).toEqual([
      50, 50, 300, 1000,
    ]);
  });

  it('keep thieves away from what could not be split, longer each time, but not for ever', () => {
    expect([targetBackoffMs(1), targetBackoffMs(2), targetBackoffMs(100)]).toEqual([500, 1000, 8000]);
  });
});
