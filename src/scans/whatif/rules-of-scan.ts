import { catalogue } from '../../detection/catalogue.ts';
import { isDetectorOn, type RuleSet } from '../../governance/rule-set.ts';
import { thresholdsOf } from '../detect/thresholds.ts';

export function enabledDetectors(rules: RuleSet): Set<string> {
  const ids = [...catalogue, ...rules.custom].map(({ id }) => id);
  return new Set(ids.filter((id) => isDetectorOn(rules, id)));
}

/** The lowest confidence that a scan under these rules stored. */
export function confidenceFloor(rules: RuleSet): number {
  const on = [...enabledDetectors(rules)].map((id) => ({ id }));
  return thresholdsOf(rules, on).floor;
}
