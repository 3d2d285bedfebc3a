import { type RuleSet, thresholdOf } from '../../governance/rule-set.ts';

/** Values below this confidence are not counted, unless a threshold is lower still. */
const FLOOR = 0.3;

/** The thresholds above which values of these detectors are reported, and counted. */
export function thresholdsOf(
  rules: RuleSet,
  detectors: readonly { readonly id: string }[],
): { minConfidence: Float64Array; floor: number } {
  const minConfidence = Float64Array.from(detectors, ({ id }) => thresholdOf(rules, id));
  return { minConfidence, floor: Math.min(FLOOR, ...minConfidence) };
}
