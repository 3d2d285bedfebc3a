import { describe, expect, it } from 'vitest';
import { type Key, keyOf } from '../../base/key.ts';
import { contains } from '../../base/range.ts';
import { estimateSource } from './estimate-source.ts';
import { planProbes } from './plan-probes.ts';
import { runProbes } from './probing.ts';
import { folders, never, storeOf } from './some-keys.fixture.ts';

const settings = { minObjectsPerShard: 1000, maxInitialShards: 32, unknownShards: 4, listCalls: 128 };

describe('a plan', () => {
  it('leaves a small source undivided, after a single probe', async () => {
    const source = storeOf(folders(900));
    const { result, calls } = await runProbes(source, planProbes(settings), never);
    expect(result.splitPoints).toEqual([]);
    expect(calls).toBe(1);
  });

  it('never exceeds its limits of probes and shards', async () => {
    const source = storeOf(folders(50_000), 100);
    const { result, calls } = await runProbes(
      source,
      planProbes({ ...settings, maxInitialShards: 8 }),
      never,
    );
    expect(calls).toBeLessThanOrEqual(128);
    expect(calls).toBe(source.calls);
    expect(result.splitPoints.length).toBeGreaterThan(2);
    expect(result.splitPoints.length).toBeLessThan(8);
  });

  it('shares out keys like hashes evenly', async () => {
    const keys = Array.from({ length: 40_000 }, (_, i) =>
      keyOf(((i * 2654435761) % 2 ** 32).toString(16).padStart(8, '0')),
    );
    const { result } = await runProbes(
      storeOf(keys),
      planProbes({ ...settings, maxInitialShards: 4 }),
      never,
    );
    const sizes = ['' as Key, ...result.splitPoints].map(
      (after, i) =>
        keys.filter((key) => contains({ after, upTo: result.splitPoints[i] ?? null }, key)).length,
    );
    expect(sizes).toHaveLength(4);
    expect(Math.max(...sizes)).toBeLessThan(12_000);
  });

  it('without probing starts with the configured number of shards', async () => {
    const one = planProbes({ ...settings, listCalls: 1, unknownShards: 3 });
    const { splitPoints } = (await runProbes(storeOf(folders(50_000)), one, never)).result;
    expect([1, 2]).toContain(splitPoints.length);
    const small = planProbes({ ...settings, listCalls: 1, unknownShards: 3 });
    expect((await runProbes(storeOf(folders(900)), small, never)).result.splitPoints).toEqual([]);
  });

  it('without any probe leaves everything undivided', async () => {
    const { result, calls } = await runProbes(
      storeOf(folders(50_000)),
      planProbes({ ...settings, listCalls: 0 }),
      never,
    );
    expect([result.splitPoints, calls]).toEqual([[], 0]);
  });

  it('estimates each part, and the estimates add up', async () => {
    const { result } = await runProbes(storeOf(folders(20_000)), planProbes(settings), never);
    const expected = result.hints.reduce((sum, hint) => sum + hint.estimatedKeys, 0);
    expect(result.hints).toHaveLength(result.splitPoints.length + 1);
    expect(Math.abs(expected - result.estimator.total)).toBeLessThan(result.hints.length);
  });
});

describe('an estimate', () => {
  it('is exact if all keys fit into the probes', async () => {
    const estimate = await estimateSource(storeOf(folders(700)), { calls: 128, signal: never });
    expect(estimate).toMatchObject({ exact: true, objects: { low: 700, likely: 700, high: 700 } });
    expect(estimate.bytes.likely).toBe(7000);
  });

  it('of much more has the truth in its interval', async () => {
    const estimate = await estimateSource(storeOf(folders(60_000), 200), { calls: 64, signal: never });
    expect(estimate.exact).toBe(false);
    expect(estimate.objects.low).toBeLessThanOrEqual(60_000);
    expect(estimate.objects.high).toBeGreaterThanOrEqual(60_000);
  });

  it('of nothing is nothing', async () => {
    expect(await estimateSource(storeOf([]), { calls: 10, signal: never })).toMatchObject({
      exact: true,
      objects: { likely: 0 },
    });
  });
});
