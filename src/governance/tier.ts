/** Risk tiers, lowest first. */
export const TIERS = ['MINIMAL', 'LOW', 'MEDIUM', 'HIGH', 'CRITICAL'] as const;
export type Tier = (typeof TIERS)[number];
