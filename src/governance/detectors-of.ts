import { customDetector } from '../detection/custom.ts';
import type { Detector } from '../detection/detector.ts';
import { isDetectorOn, type RuleSet } from './rule-set.ts';

/** The enabled detectors under these rules: those of the catalogue, in its order, then the custom ones. */
export function detectorsOf(rules: RuleSet, catalogue: readonly Detector[]): Detector[] {
  return [...catalogue, ...rules.custom.map(customDetector)].filter(({ id }) => isDetectorOn(rules, id));
}
