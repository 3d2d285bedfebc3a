import table from './weights.json' with { type: 'json' };

/**
 * How much a type weighs (0–10) and which scoring category it belongs to. The category is that of the co-occurrence
 * rules, not the detector's own: an IP address is found as network data, but no rule of ours asks for it.
 */
export type RiskCategory = keyof typeof table.categories;

export interface TypeWeight {
  readonly weight: number;
  readonly category: RiskCategory | null;
}

/** By type; a type that is not there weighs the `unknown` of the table and has no category. */
export type Weights = ReadonlyMap<string, TypeWeight>;

export const MAX_WEIGHT = 10;
const UNKNOWN: TypeWeight = { weight: table.unknown, category: null };

export const DEFAULT_WEIGHTS: Weights = new Map(rows());

export function weightOf(weights: Weights, type: string): TypeWeight {
  return weights.get(type) ?? UNKNOWN;
}

/** The weights of a rule set over `base`. A category cannot be overridden: it says what a thing is. */
export function withOverrides(base: Weights, overrides: Readonly<Record<string, number>>): Weights {
  const weights = new Map(base);
  for (const [type, weight] of Object.entries(overrides)) {
    weights.set(type, { weight, category: weightOf(base, type).category });
  }
  return weights;
}

/** That of a detector's own category, where the rules know it. */
export function riskCategoryOf(category: string): RiskCategory | null {
  return category in table.categories ? (category as RiskCategory) : null;
}

function* rows(): Iterable<[string, TypeWeight]> {
  let category: RiskCategory;
  for (category in table.categories) {
    for (const [type, weight] of Object.entries(table.categories[category]))
      yield [type, { weight, category }];
  }
  for (const [type, weight] of Object.entries(table.uncategorized)) yield [type, { weight, category: null }];
}
