import type { RuleSet } from '../rule-set.ts';
import { type DetectorInfo, findPack, idsOfPacks } from './packs.ts';

/** The rules with the detectors of these packs on as well; of rules that had all on, these alone. */
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

/** Packs that the command line asks for, on top of what the rules say. */
export function withRequestedPacks(
  rules: RuleSet,
  names: readonly string[],
  catalogue: readonly DetectorInfo[],
): RuleSet {
  const packsAsked = names.map((name) => name.toLowerCase());
  return { ...withPacks(rules, packsAsked, catalogue), packsAsked };
}
