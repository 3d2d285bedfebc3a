import { customDetector } from '../detection/custom.ts';
import type { Detector } from '../detection/detector.ts';
import { isDetectorOn, type RuleSet } from './rule-set.ts';

/** The detectors that are on under these rules: those of the catalogue, in its order, then the rules' own. */
export function detectorsOf(rules: RuleSet, catalogue: readonly Detector[]): Detector[] {
  return [...catalogue, ...rules.custom.map(customDetector)].filter(({ id }) => isDetectorOn(rules, id));
}
