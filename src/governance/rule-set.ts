import { createHash } from 'node:crypto';

/** What to look for, how sure to be, where to look and how to weigh it. Written by hand in YAML: see rule-file.ts. */
export interface RuleSet {
  readonly name: string;
  /** Findings below it are not reported, 0–1. */
  readonly minConfidence: number;
  /** An empty `include` means all; `exclude` wins. */
  readonly detectors: Selection;
  /** Weights that differ from ours, by detector. */
  readonly weights: Readonly<Record<string, number>>;
  /** Globs over paths; an empty `include` means everything, `exclude` wins. */
  readonly paths: Selection;
}

export interface Selection {
  readonly include: readonly string[];
  readonly exclude: readonly string[];
}

export const DEFAULT_RULES: RuleSet = {
  name: 'default',
  minConfidence: 0.5,
  detectors: { include: [], exclude: [] },
  weights: {},
  paths: { include: [], exclude: [] },
};

export function isDetectorOn(rules: RuleSet, detector: string): boolean {
  const { include, exclude } = rules.detectors;
  return !exclude.includes(detector) && (include.length === 0 || include.includes(detector));
}

/**
 * Equal hashes: the same bytes give the same findings, so an object that did not change need not be read again.
 * Weights are left out: a score can be computed anew from the counts.
 */
export function detectionHash(rules: RuleSet): string {
  const { include, exclude } = rules.detectors;
  // With an `include` the `exclude` only makes it shorter: [A, B] without B is [A].
  const on = include.length === 0 ? null : sorted(include.filter((id) => !exclude.includes(id)));
  return sha256([rules.minConfidence, on, on === null ? sorted(exclude) : []]);
}

/** Equal hashes: the same scan of the same source. The name is only a name. */
export function ruleSetHash(rules: RuleSet): string {
  const weights = sorted(Object.keys(rules.weights)).map((id) => [id, rules.weights[id]]);
  return sha256([detectionHash(rules), sorted(rules.paths.include), sorted(rules.paths.exclude), weights]);
}

/** Neither order nor repetition means anything in our lists. */
function sorted(items: readonly string[]): string[] {
  return [...new Set(items)].sort();
}

function sha256(canonical: unknown): string {
  return createHash('sha256').update(JSON.stringify(canonical)).digest('hex');
}
