import { catalogue } from '../detection/catalogue.ts';
import type { RuleSet } from './rule-set.ts';
import { DEFAULT_WEIGHTS, riskCategoryOf, type Weights, withOverrides } from './weights.ts';

/**
 * The weights of the types under these rules: by the table, else by the detector's own risk, with the
 * overrides of the rules.
 */
export function weightsOf({ custom, weights }: Pick<RuleSet, 'custom' | 'weights'>): Weights {
  const all = new Map(DEFAULT_WEIGHTS);
  for (const { id, risk, category } of [...catalogue, ...custom]) {
    if (!DEFAULT_WEIGHTS.has(id)) all.set(id, { weight: risk, category: riskCategoryOf(category) });
  }
  return withOverrides(all, weights);
}
