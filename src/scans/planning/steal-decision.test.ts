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

const terms = { splitCount: 4, minKeys: 2, selective: false };

function target(range: Range = FULL_RANGE, more: Partial<StealTarget> = {}): StealTarget {
  const { after } = range;
  return { range, cursor: after, reserved: after, listed: 0, page: null, hint: null, left: 1e12, ...more };
}

const steal = async (keys: readonly Key[], from: StealTarget, more = {}, page = 7): Promise<SplitDecision> =>
  (await runProbes(storeOf(keys, page), stealProbes(from, { ...terms, ...more }), never)).result;

const inside = (keys: readonly Key[], range: Range) => keys.filter((key) => contains(range, key));

function partsOf({ splitPoints }: SplitDecision, { after, upTo }: Range): Range[] {
  return [after, ...splitPoints].map((from, i) => ({ after: from, upTo: splitPoints[i] ?? upTo }));
}

describe('a steal decision', () => {
  it('splits strictly inside the unreserved range, in order, at valid UTF-8, with keys on either side of every split point', async () => {
    const property = fc.asyncProperty(
      someKeys,
      fc.nat(),
      fc.integer({ min: 2, max: 9 }),
      async (keys, at, splitCount) => {
        const sorted = [...keys].sort();
        const reserved = at % 3 === 0 ? FULL_RANGE.after : sorted[at % sorted.length]!;
        const upTo = at % 5 === 0 ? sorted.at(-1)! : null;
        if (upTo !== null && reserved >= upTo) return;
        const free = { after: reserved, upTo };
        const decision = await steal(keys, target({ after: FULL_RANGE.after, upTo }, { reserved }), {
          splitCount,
        });
        expect([...new Set(decision.splitPoints)].sort()).toEqual(decision.splitPoints);
        expect(decision.splitPoints.length).toBeLessThan(splitCount);
        for (const cut of decision.splitPoints) {
          expect(contains(free, cut) && cut !== upTo).toBe(true);
          expect(isValidUtf8(cut)).toBe(true);
        }
        if (decision.splitPoints.length > 0)
          for (const part of partsOf(decision, free)) expect(inside(keys, part)).not.toEqual([]);
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
          const from = target(shard.range, {
            cursor,
            reserved: cursor,
            listed: passed.length,
            hint: shard.hint,
          });
          const decision = await steal(keys, from, { splitCount: 2 + (choice % 4) });
          const parts = partsOf(decision, shard.range);
          const made = parts.map((range, i) => ({ range, hint: decision.hints[i] ?? null }));
          shards.splice(shards.indexOf(shard), 1, ...made);
        }
        for (const key of sorted) expect(shards.filter(({ range }) => contains(range, key))).toHaveLength(1);
        for (const { range } of shards)
          expect(inside(sorted, range).length > 0 || shards.length === 1).toBe(true);
      },
    );
    await fc.assert(property, { numRuns: 200 });
  });

  it('splits between supplementary characters and those that sort before them', async () => {
    const keys = ['\uff21', '😀', '\ue000', '\uffee', '𝒳'].flatMap((letter) =>
      Array.from({ length: 60 }, (_, i) => keyOf(`${letter}/${i}`)),
    );
    const { splitPoints } = await steal(keys, target(), { splitCount: 8, minKeys: 4 }, 20);
    expect(splitPoints.length).toBeGreaterThan(2);
    expect(splitPoints.filter((cut) => !isValidUtf8(cut))).toEqual([]);
  });

  it('does not split small ranges', async () => {
    expect((await steal(folders(50), target(), { minKeys: 300 }, 1000)).splitPoints).toEqual([]);
  });

  it('after a few splits leaves no large part of nested folders, though none was counted', async () => {
    const keys = folders(20_000).sort();
    let shards: { range: Range; hint: SplitHint | null }[] = [{ range: FULL_RANGE, hint: null }];
    for (let n = 0; n < 6; n++) {
      const [largest, ...others] = shards.sort(
        (a, b) => inside(keys, b.range).length - inside(keys, a.range).length,
      );
      const decision = await steal(
        keys,
        target(largest!.range, { hint: largest!.hint }),
        { minKeys: 100 },
        1000,
      );
      const parts = partsOf(decision, largest!.range);
      shards = [...others, ...parts.map((range, i) => ({ range, hint: decision.hints[i]! }))];
    }
    expect(Math.max(...shards.map(({ range }) => inside(keys, range).length))).toBeLessThan(
      0.4 * keys.length,
    );
  });

  it('splits without a probe what its holder has listed already', async () => {
    const keys = folders(900).sort();
    const page = { ...FULL_RANGE, count: 900, bytes: 0, keys, places: keys.map((_, i) => i) };
    const source = storeOf(keys);
    const from = target(FULL_RANGE, { reserved: keys[99]!, page });
    const { result, calls } = await runProbes(
      source,
      stealProbes(from, { splitCount: 2, minKeys: 100, selective: false }),
      never,
    );
    expect(calls).toBe(0);
    expect(result.splitPoints).toEqual([keys[499]]);
    expect(result.hints.map(({ estimatedKeys, exact }) => [estimatedKeys, exact])).toEqual([
      [500, true],
      [400, true],
    ]);
  });

  it('probes again if few slow objects have too few samples to be divided', async () => {
    const keys = folders(900).sort();
    const page = countedPage(FULL_RANGE, { keys, bytes: 0, more: false });
    const range = { after: FULL_RANGE.after, upTo: keys[899]! };
    const from = target(range, { cursor: keys[839]!, reserved: keys[844]!, listed: 840, page });
    const slow = await runProbes(
      storeOf(keys),
      stealProbes(from, { splitCount: 2, minKeys: 20, selective: false }),
      never,
    );
    expect(slow.calls).toBe(1);
    const [cut] = slow.result.splitPoints;
    expect(Math.abs(inside(keys, { after: keys[844]!, upTo: cut! }).length - 27)).toBeLessThan(4);
    expect(slow.result.hints.reduce((sum, { estimatedKeys: expected }) => sum + expected, 0)).toBe(900);
    const fast = await runProbes(
      storeOf(keys),
      stealProbes(from, { splitCount: 2, minKeys: 200, selective: false }),
      never,
    );
    expect(fast.calls).toBe(0);
  });

  it('returns the maximum error of a part that was split between two samples', async () => {
    const keys = folders(900).sort();
    const page = countedPage(FULL_RANGE, { keys, bytes: 0, more: false });
    const estimator = new RangeEstimator({ after: keys[10]!, upTo: keys[400]! }, [page]);
    const [hint] = splitHintsFor(estimator, []);
    expect(hint!.countError).toBeGreaterThan(0);
    expect(Math.abs(hint!.estimatedKeys - 390)).toBeLessThanOrEqual(hint!.countError);
    expect(splitHintsFor(new RangeEstimator(FULL_RANGE, [page]), [])[0]!.countError).toBe(0);
  });

  it('does not probe counted ranges again', async () => {
    const keys = folders(30_000).sort();
    const source = storeOf(keys);
    const first = await runProbes(
      source,
      stealProbes(target(), { splitCount: 8, minKeys: 300, selective: false }),
      never,
    );
    const last = first.result.hints.length - 1;
    const range = { after: first.result.splitPoints[last - 1]!, upTo: null };
    const hint = first.result.hints[last]!;
    const fresh = await runProbes(
      source,
      stealProbes(target(range), { splitCount: 2, minKeys: 300, selective: false }),
      never,
    );
    const withHint = await runProbes(
      source,
      stealProbes(target(range, { hint }), { splitCount: 2, minKeys: 300, selective: false }),
      never,
    );
    expect(withHint.calls).toBeLessThan(fresh.calls);
  });

  it('skips a shard with much less than the estimate it was chosen for, without a probe', async () => {
    const keys = folders(500).sort();
    const page = { ...FULL_RANGE, count: 500, bytes: 0, keys, places: keys.map((_, i) => i) };
    const source = storeOf(keys);
    const hint = { estimatedKeys: 100_000, exact: false, countError: 0, countedRanges: [] };
    const from = target(FULL_RANGE, { page, hint, left: 100_000 });
    const { result, calls } = await runProbes(
      source,
      stealProbes(from, { ...terms, selective: true }),
      never,
    );
    expect([result.skippedTarget, result.splitPoints, calls]).toEqual([true, [], 0]);
    expect(result.hints[0]).toMatchObject({ estimatedKeys: 500, exact: true });
  });

  it('also skips it when a probe shows it, and splits it when there is nothing better', async () => {
    const keys = folders(3000).sort();
    const hint = { estimatedKeys: 1e6, exact: false, countError: 0, countedRanges: [] };
    const from = target(FULL_RANGE, { hint, left: 1e6 });
    const selective = await steal(keys, from, { selective: true }, 1000);
    expect([selective.skippedTarget, selective.splitPoints]).toEqual([true, []]);
    expect(selective.hints[0]!.estimatedKeys).toBeLessThan(1e6 / 2);
    const other = await steal(keys, from, { selective: false }, 1000);
    expect(other.skippedTarget).toBe(false);
    expect(other.splitPoints.length).toBeGreaterThan(0);
  });

  it('does not skip a shard without an estimate', async () => {
    const { skippedTarget, splitPoints } = await steal(folders(3000), target(), { selective: true }, 1000);
    expect(skippedTarget).toBe(false);
    expect(splitPoints.length).toBeGreaterThan(0);
  });
});

describe('the options of a steal', () => {
  it('split in two for one idle slot, in more for many, and in at most 32', () => {
    expect([splitCountFor(1, 10), splitCountFor(30, 10), splitCountFor(999, 1), splitCountFor(0, 0)]).toEqual(
      [2, 4, 32, 2],
    );
  });

  it('allow a delay of the end by a few thousandths, but by seconds at most', () => {
    expect([minSplitSeconds(10), minSplitSeconds(1000), minSplitSeconds(1e6)]).toEqual([1, 3, 5]);
  });

  it('back off longer the more workers are idle, and always wait', () => {
    expect([stealPauseMs(1, 1), stealPauseMs(9, 1), stealPauseMs(9, 300), stealPauseMs(9, 5000)]).toEqual([
      50, 50, 300, 1000,
    ]);
  });

  it('back off from a shard that could not be split, longer each time, but bounded', () => {
    expect([targetBackoffMs(1), targetBackoffMs(2), targetBackoffMs(100)]).toEqual([500, 1000, 8000]);
  });
});
