import { describe, expect, it } from 'vitest';
import { atLeast, isTier, TIERS, tierOf, tierRank } from './tier.ts';

describe('tierOf', () => {
  it.each([
    [0, 'MINIMAL'],
    [10.999, 'MINIMAL'],
    [11, 'LOW'],
    [30.999, 'LOW'],
    [31, 'MEDIUM'],
    [54.999, 'MEDIUM'],
    [55, 'HIGH'],
    [79.999, 'HIGH'],
    [80, 'CRITICAL'],
    [100, 'CRITICAL'],
  ])('%d is %s', (score, tier) => {
    expect(tierOf(score)).toBe(tier);
  });
});

describe('the order of tiers', () => {
  it('ranks them from the lowest', () => {
    expect(TIERS.map(tierRank)).toEqual([0, 1, 2, 3, 4]);
  });

  it('counts a tier as at least itself', () => {
    expect([atLeast('HIGH', 'HIGH'), atLeast('CRITICAL', 'HIGH'), atLeast('MEDIUM', 'HIGH')]).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('accepts only exact names', () => {
    expect([isTier('HIGH'), isTier('high'), isTier('')]).toEqual([true, false, false]);
  });
});
