/** Risk tiers, lowest first. */
export const TIERS = ['MINIMAL', 'LOW', 'MEDIUM', 'HIGH', 'CRITICAL'] as const;
export type Tier = (typeof TIERS)[number];

/** Minimum scores, inclusive. */
const THRESHOLDS: Readonly<Record<Tier, number>> = {
  MINIMAL: 0,
  LOW: 11,
  MEDIUM: 31,
  HIGH: 55,
  CRITICAL: 80,
};

/** By the unrounded score: 79.6 is displayed as 80 and is still HIGH. */
export function tierOf(score: number): Tier {
  return TIERS.findLast((tier) => score >= THRESHOLDS[tier]) ?? 'MINIMAL';
}

export function tierRank(tier: Tier): number {
  return TIERS.indexOf(tier);
}

export function isTier(text: string): text is Tier {
  return (TIERS as readonly string[]).includes(text);
}

export function atLeast(tier: Tier, floor: Tier): boolean {
  return tierRank(tier) >= tierRank(floor);
}
