import { type Score, scoreObject, type TypeCount } from '../../governance/score.ts';
import type { Weights } from '../../governance/weights.ts';
import type { Inspection } from '../inspection.ts';

/** The counts of the types that were found, and what they make the object. */
export function scored(
  types: readonly TypeCount[],
  weights: Weights,
): Pick<Inspection, 'counts' | 'score' | 'points' | 'tier'> {
  const counts = Object.fromEntries(types.map(({ detector, count }) => [detector, count]));
  if (types.length === 0) return { counts, score: null, points: null, tier: null };
  const risk = scoreObject(types, weights);
  return { counts, score: risk.score, points: uncapped(risk), tier: risk.tier };
}

function uncapped({ parts, multiplier }: Score): number {
  return parts.reduce((sum, part) => sum + part.points, 0) * (multiplier?.factor ?? 1);
}
