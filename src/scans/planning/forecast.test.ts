import { describe, expect, it } from 'vitest';
import { forecast as expectOf } from './forecast.ts';

const spread = (likely: number) => ({ low: likely / 2, likely, high: likely * 2 });
const estimate = { objects: spread(1_000_000), bytes: spread(1e12), exact: false, calls: 128 };
const around = {
  source: 's3://bucket',
  remote: true,
  prices: { list: 0.005, read: 0.0004, gigabyte: 0.09 },
  perSecond: null,
  workers: [1, 10],
};

describe('what a scan will take', () => {
  it('counts a request for every object and for every page', () => {
    expect(expectOf(estimate, around).requests).toEqual({ low: 500_500, likely: 1_001_000, high: 2_002_000 });
  });

  it('adds up requests and traffic', () => {
    const { cost } = expectOf(estimate, around);
    expect(cost!.likely).toBeCloseTo((1000 * 0.005 + 1_000_000 * 0.0004) / 1000 + 1000 * 0.09, 6);
    expect(cost!.low).toBeLessThan(cost!.likely);
    expect(cost!.high).toBeGreaterThan(cost!.likely);
  });

  it('shares the time among the workers, but no faster than the provider allows', () => {
    const [one, ten] = expectOf(estimate, around).seconds;
    expect(ten!.likely.likely).toBeCloseTo(one!.likely.likely / 10, 6);
    const limited = expectOf(estimate, { ...around, perSecond: 100 });
    expect(limited.seconds[1]!.likely.likely).toBeCloseTo(10_010, 6);
  });

  it('of a folder costs nothing', () => {
    expect(expectOf(estimate, { ...around, remote: false })).toMatchObject({ requests: null, cost: null });
  });
});
