import { catalogue } from '../../detection/catalogue.ts';
import { compilePolicies, type PolicyEvaluator } from '../../governance/policies/evaluate.ts';
import { policiesOf } from '../../governance/policies/policies-of.ts';
import type { RuleSet } from '../../governance/rule-set.ts';
import { type Score, scoreObject, type TypeCount } from '../../governance/score.ts';
import type { Weights } from '../../governance/weights.ts';
import { weightsOf } from '../../governance/weights-of.ts';
import type { Inspection } from '../results/inspection.ts';

/** The rules that an object is scored by. */
export interface ScoringRules {
  readonly weights: Weights;
  readonly evaluatePolicies: PolicyEvaluator;
}

export function scoringRulesFor(rules: RuleSet): ScoringRules {
  return {
    weights: weightsOf(rules),
    evaluatePolicies: compilePolicies(policiesOf(rules), [...catalogue, ...rules.custom]),
  };
}

/** Returns the counts of the types found, and the resulting score. */
export function scoreTypes(
  types: readonly TypeCount[],
  { weights, evaluatePolicies }: ScoringRules,
): Pick<Inspection, 'counts' | 'score' | 'points' | 'tier' | 'policies'> {
  const counts = Object.fromEntries(types.map(({ detector, count }) => [detector, count]));
  if (types.length === 0) return { counts, score: null, points: null, tier: null, policies: {} };
  const ordered = sortByDetector(types);
  const risk = scoreObject(ordered, weights);
  return {
    counts,
    score: risk.score,
    points: uncappedPoints(risk),
    tier: risk.tier,
    policies: evaluatePolicies(ordered),
  };
}

/** Sorted by name: floating-point sums depend on the order, and the order of discovery must not matter. */
export function sortByDetector(types: readonly TypeCount[]): TypeCount[] {
  return [...types].sort((a, b) => (a.detector < b.detector ? -1 : 1));
}

function uncappedPoints({ parts, multiplier }: Score): number {
  return parts.reduce((sum, part) => sum + part.points, 0) * (multiplier?.factor ?? 1);
}
