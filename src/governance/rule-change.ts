import { DEFAULT_LIMITS, type ExtractionLimits } from '../extraction/budget/limits.ts';
import { policiesOf } from './policies/policies-of.ts';
import { isDetectorOn, type RuleSet, type Selection, thresholdOf } from './rule-set.ts';
import { weightOf } from './weights.ts';
import { weightsOf } from './weights-of.ts';

/** The differences of two rule sets, in short sentences: explains why unchanged objects are read again. */
export function describeRuleChange(old: RuleSet, now: RuleSet): string[] {
  return [
    ...confidenceChange(old, now),
    ...thresholdChanges(old, now),
    ...detectorChanges(old, now),
    ...customChanges(old, now),
    ...weightChanges(old, now),
    ...selectionChanges('paths', old.paths, now.paths),
    ...selectionChanges('columns', old.columns, now.columns),
    ...selectionChanges('tables', old.tables, now.tables),
    ...sampleChange(old, now),
    ...readingChanges(old, now),
    ...policyChanges(old, now),
  ];
}

function confidenceChange(old: RuleSet, now: RuleSet): string[] {
  if (old.minConfidence === now.minConfidence) return [];
  return [`minConfidence ${old.minConfidence} → ${now.minConfidence}`];
}

function readingChanges({ reading: old }: RuleSet, { reading: now }: RuleSet): string[] {
  const names = Object.keys(DEFAULT_LIMITS) as (keyof ExtractionLimits)[];
  const limits = names.flatMap((name) => {
    const [from, to] = [old, now].map(({ limits }) => limits[name] ?? DEFAULT_LIMITS[name]);
    return from === to ? [] : [`limit ${name} ${from} → ${to}`];
  });
  return old.ocr === now.ocr ? limits : [`OCR is ${now.ocr ? 'on' : 'off'} now`, ...limits];
}

function thresholdChanges(old: RuleSet, now: RuleSet): string[] {
  const names = new Set([...Object.keys(old.thresholds), ...Object.keys(now.thresholds)]);
  return [...names].sort().flatMap((id) => {
    const [from, to] = [thresholdOf(old, id), thresholdOf(now, id)];
    return from === to ? [] : [`threshold of ${id} ${from} → ${to}`];
  });
}

function detectorChanges(old: RuleSet, now: RuleSet): string[] {
  const had = old.detectors.include.length > 0;
  const has = now.detectors.include.length > 0;
  // Between "all but some" and "only some" the changed names are not in the rules: describes the new state
  // instead.
  if (has && !had) {
    const names = enabledDetectors(now);
    if (names.length > MAX_LISTED) return [`only ${names.length} of the detectors are on now`];
    return [`only ${names.join(', ')} ${names.length === 1 ? 'is' : 'are'} on now`];
  }
  if (had && !has) {
    const off = now.detectors.exclude;
    return [`all detectors are on now${off.length > 0 ? ` except ${[...off].sort().join(', ')}` : ''}`];
  }
  const changed = namesOf(old, now).filter((id) => isDetectorOn(old, id) !== isDetectorOn(now, id));
  if (changed.length > MAX_LISTED) return [`${changed.length} detectors are on or off now that were not`];
  return changed.map((id) => `detector ${id} is ${isDetectorOn(now, id) ? 'on' : 'off'} now`);
}

/** More names are replaced by their number. */
const MAX_LISTED = 12;

function enabledDetectors(rules: RuleSet): string[] {
  return rules.detectors.include.filter((id) => isDetectorOn(rules, id)).sort();
}

function namesOf(...sets: RuleSet[]): string[] {
  const names = sets.flatMap(({ detectors }) => [...detectors.include, ...detectors.exclude]);
  return [...new Set(names)].sort();
}

function weightChanges(old: RuleSet, now: RuleSet): string[] {
  const before = weightsOf(old);
  const after = weightsOf(now);
  const names = new Set([...Object.keys(old.weights), ...Object.keys(now.weights)]);
  return [...names].sort().flatMap((id) => {
    const [from, to] = [weightOf(before, id).weight, weightOf(after, id).weight];
    return from === to ? [] : [`weight of ${id} ${from} → ${to}`];
  });
}

function customChanges(old: RuleSet, now: RuleSet): string[] {
  const ids = new Set([...old.custom, ...now.custom].map(({ id }) => id));
  return [...ids].sort().flatMap((id) => {
    const [before, after] = [old, now].map(({ custom }) => custom.find((rule) => rule.id === id));
    if (before === undefined) return [`custom detector ${id} is new`];
    if (after === undefined) return [`custom detector ${id} was removed`];
    return JSON.stringify(before) === JSON.stringify(after)
      ? []
      : [`custom detector ${id} is written otherwise`];
  });
}

function sampleChange(old: RuleSet, now: RuleSet): string[] {
  const share = (sample: number | null) => (sample === null ? 'everything' : `${sample} %`);
  return old.sample === now.sample ? [] : [`sample ${share(old.sample)} → ${share(now.sample)}`];
}

function policyChanges(old: RuleSet, now: RuleSet): string[] {
  const [before, after] = [old, now].map(
    (rules) => new Map(policiesOf(rules).map((each) => [each.id, each])),
  );
  const ids = new Set([...before!.keys(), ...after!.keys()]);
  return [...ids].sort().flatMap((id) => {
    if (!before!.has(id)) return [`policy ${id} is on now`];
    if (!after!.has(id)) return [`policy ${id} is off now`];
    const same = JSON.stringify(before!.get(id)) === JSON.stringify(after!.get(id));
    return same ? [] : [`policy ${id} is written otherwise`];
  });
}

function selectionChanges(what: string, old: Selection, now: Selection): string[] {
  return [
    ...added(old.include, now.include).map((name) => `${what} ${name} are included now`),
    ...added(now.include, old.include).map((name) => `${what} ${name} are no longer included`),
    ...added(old.exclude, now.exclude).map((name) => `${what} ${name} are excluded now`),
    ...added(now.exclude, old.exclude).map((name) => `${what} ${name} are no longer excluded`),
  ];
}

function added(from: readonly string[], to: readonly string[]): string[] {
  return [...new Set(to)].filter((item) => !from.includes(item)).sort();
}
