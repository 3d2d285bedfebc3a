import table from './weights.json' with { type: 'json' };

/**
 * The weight of a type (0–10) and its scoring category. The category is that of the co-occurrence rules,
 * not the detector's own: an IP address is detected as network data, but no rule of ours refers to it.
 */
export type RiskCategory = keyof typeof table.categories;

export interface TypeWeight {
  readonly weight: number;
  readonly category: RiskCategory | null;
}

/** By type; missing types have the table's `unknown` weight and no category. */
export type Weights = ReadonlyMap<string, TypeWeight>;

export const MAX_WEIGHT = 10;
const UNKNOWN: TypeWeight = { weight: table.unknown, category: null };

export const DEFAULT_WEIGHTS: Weights = new Map(rows());

export function weightOf(weights: Weights, type: string): TypeWeight {
  return weights.get(type) ?? UNKNOWN;
}

/**
 * The weights of a rule set over `base`. Categories cannot be overridden: they are properties of the types.
 */
export function withOverrides(base: Weights, overrides: Readonly<Record<string, number>>): Weights {
  const weights = new Map(base);
  for (const [type, weight] of Object.entries(overrides)) {
    weights.set(type, { weight, category: weightOf(base, type).category });
  }
  return weights;
}

/** The scoring category for a detector's own category, if there is one. */
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
