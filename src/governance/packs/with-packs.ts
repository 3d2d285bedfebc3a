import type { RuleSet } from '../rule-set.ts';
import { type DetectorInfo, findPack, idsOfPacks } from './packs.ts';

/**
 * Enables the detectors of these packs in addition; if the rules had all detectors enabled, enables only
 * these.
 */
export function withPacks(
  rules: RuleSet,
  names: readonly string[],
  catalogue: readonly DetectorInfo[],
): RuleSet {
  if (names.length === 0) return rules;
  const packs = names.map(findPack).filter((pack) => pack !== null);
  const include = [...new Set([...rules.detectors.include, ...idsOfPacks(packs, catalogue)])];
  return { ...rules, detectors: { ...rules.detectors, include } };
}

/** Packs requested on the command line, in addition to those of the rules. */
export function withRequestedPacks(
  rules: RuleSet,
  names: readonly string[],
  catalogue: readonly DetectorInfo[],
): RuleSet {
  const packsAsked = names.map((name) => name.toLowerCase());
  return { ...withPacks(rules, packsAsked, catalogue), packsAsked };
}
