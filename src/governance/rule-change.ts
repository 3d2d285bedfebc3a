import { isDetectorOn, type RuleSet, type Selection } from './rule-set.ts';
import { DEFAULT_WEIGHTS, weightOf, withOverrides } from './weights.ts';

/** What differs between two rule sets, in short sentences: why objects that did not change are read again. */
export function describeRuleChange(old: RuleSet, now: RuleSet): string[] {
  return [
    ...confidenceChange(old, now),
    ...detectorChanges(old, now),
    ...weightChanges(old, now),
    ...pathChanges(old.paths, now.paths),
  ];
}

function confidenceChange(old: RuleSet, now: RuleSet): string[] {
  if (old.minConfidence === now.minConfidence) return [];
  return [`minConfidence ${old.minConfidence} → ${now.minConfidence}`];
}

function detectorChanges(old: RuleSet, now: RuleSet): string[] {
  const had = old.detectors.include.length > 0;
  const has = now.detectors.include.length > 0;
  // Between "all but some" and "only some" the names that changed are not in the rules: say what holds now.
  if (has && !had)
    return [`only ${onNames(now).join(', ')} ${onNames(now).length === 1 ? 'is' : 'are'} on now`];
  if (had && !has) {
    const off = now.detectors.exclude;
    return [`all detectors are on now${off.length > 0 ? ` except ${[...off].sort().join(', ')}` : ''}`];
  }
  return namesOf(old, now)
    .filter((id) => isDetectorOn(old, id) !== isDetectorOn(now, id))
    .map((id) => `detector ${id} is ${isDetectorOn(now, id) ? 'on' : 'off'} now`);
}

function onNames(rules: RuleSet): string[] {
  return rules.detectors.include.filter((id) => isDetectorOn(rules, id)).sort();
}

function namesOf(...sets: RuleSet[]): string[] {
  const names = sets.flatMap(({ detectors }) => [...detectors.include, ...detectors.exclude]);
  return [...new Set(names)].sort();
}

function weightChanges(old: RuleSet, now: RuleSet): string[] {
  const before = withOverrides(DEFAULT_WEIGHTS, old.weights);
  const after = withOverrides(DEFAULT_WEIGHTS, now.weights);
  const names = new Set([...Object.keys(old.weights), ...Object.keys(now.weights)]);
  return [...names].sort().flatMap((id) => {
    const [from, to] = [weightOf(before, id).weight, weightOf(after, id).weight];
    return from === to ? [] : [`weight of ${id} ${from} → ${to}`];
  });
}

function pathChanges(old: Selection, now: Selection): string[] {
  return [
    ...added(old.include, now.include).map((glob) => `paths ${glob} are included now`),
    ...added(now.include, old.include).map((glob) => `paths ${glob} are no longer included`),
    ...added(old.exclude, now.exclude).map((glob) => `paths ${glob} are excluded now`),
    ...added(now.exclude, old.exclude).map((glob) => `paths ${glob} are no longer excluded`),
  ];
}

function added(from: readonly string[], to: readonly string[]): string[] {
  return [...new Set(to)].filter((item) => !from.includes(item)).sort();
}
