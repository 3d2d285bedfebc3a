import { createHash } from 'node:crypto';
import type { CustomRule } from '../detection/custom.ts';
import { OPTIONAL } from '../detection/optional.ts';
import { DEFAULT_LIMITS, type ExtractionLimits } from '../extraction/limits.ts';
import type { Policy } from './policies/policy.ts';

/** What to look for, how sure to be, where to look and how to weigh it. Written by hand in YAML: see rule-file.ts. */
export interface RuleSet {
  /** Of the format. */
  readonly version: 1;
  readonly name: string;
  /** Findings below it are not reported, 0–1. */
  readonly minConfidence: number;
  /** The same for single detectors. */
  readonly thresholds: Readonly<Record<string, number>>;
  /** What the file names, and what the command line added; their detectors are in `detectors.include`. */
  readonly packs: readonly string[];
  readonly packsAsked: readonly string[];
  /** An empty `include` means all; `exclude` wins. Custom ones are on unless they are excluded. */
  readonly detectors: Selection;
  readonly custom: readonly CustomRule[];
  /** Weights that differ from ours, by detector. */
  readonly weights: Readonly<Record<string, number>>;
  /** Globs over paths; an empty `include` means everything, `exclude` wins. */
  readonly paths: Selection;
  /** Names of columns (keys, fields) and tables whose findings are reported; `*` stands for anything. */
  readonly columns: Selection;
  readonly tables: Selection;
  /** Percent of the objects that are looked at, unless the scan says otherwise; null: all. */
  readonly sample: number | null;
  readonly reading: ReadingRules;
  /** Of those that come with Seine an empty `include` means all; `own` ones are on unless they are excluded. */
  readonly policies: Selection & { readonly own: readonly Policy[] };
}

export interface Selection {
  readonly include: readonly string[];
  readonly exclude: readonly string[];
}

/** How documents are read. */
export interface ReadingRules {
  /** Pictures, and pages that are pictures, too. */
  readonly ocr: boolean;
  /** Those that differ from ours. */
  readonly limits: Readonly<Partial<ExtractionLimits>>;
}

export const SELECT_ALL: Selection = { include: [], exclude: [] };

export const DEFAULT_RULES: RuleSet = {
  version: 1,
  name: 'default',
  minConfidence: 0.5,
  thresholds: {},
  packs: [],
  packsAsked: [],
  detectors: SELECT_ALL,
  custom: [],
  weights: {},
  paths: SELECT_ALL,
  columns: SELECT_ALL,
  tables: SELECT_ALL,
  sample: null,
  reading: { ocr: false, limits: {} },
  policies: { ...SELECT_ALL, own: [] },
};

export function isDetectorOn(rules: RuleSet, detector: string): boolean {
  const { include, exclude } = rules.detectors;
  if (exclude.includes(detector)) return false;
  if (include.length === 0) return !OPTIONAL.has(detector);
  return include.includes(detector) || rules.custom.some(({ id }) => id === detector);
}

/** From this confidence on a finding of the detector is reported. */
export function thresholdOf(rules: RuleSet, detector: string): number {
  return rules.thresholds[detector] ?? rules.minConfidence;
}

/**
 * Equal hashes: the same bytes give the same findings, so an object that did not change need not be read again.
 * Weights are left out: a score can be computed anew from the counts.
 */
export function detectionHash(rules: RuleSet): string {
  const { include, exclude } = rules.detectors;
  // With an `include` the `exclude` only makes it shorter: [A, B] without B is [A].
  const on = include.length === 0 ? null : sorted(include.filter((id) => !exclude.includes(id)));
  const custom = rules.custom.filter(({ id }) => isDetectorOn(rules, id)).map(customParts);
  const off = on === null ? sorted(exclude) : [];
  // What is the same for all rule sets that say nothing of it adds nothing.
  const more = [thresholdParts(rules), custom.sort(byId), selected(rules.columns), selected(rules.tables)];
  return sha256([rules.minConfidence, on, off, ...more, ...readingParts(rules)]);
}

/** Equal hashes: the same scan of the same source. The name is only a name. */
export function ruleSetHash(rules: RuleSet): string {
  const { policies, sample } = rules;
  const own = [...policies.own].sort((a, b) => (a.id < b.id ? -1 : 1));
  return sha256([
    detectionHash(rules),
    ...selected(rules.paths),
    entries(rules.weights),
    sample,
    [...selected(policies), own],
  ]);
}

/** Names, titles and examples change no finding. */
function customParts(rule: CustomRule): [id: string, ...unknown[]] {
  const { id, pattern, checks, context, labelled, confidence, category } = rule;
  return [
    id,
    pattern,
    checks,
    sorted(context.words),
    sorted(context.avoid ?? []),
    labelled,
    confidence,
    category,
  ];
}

/** A threshold that says what holds anyway says nothing. */
function thresholdParts({ thresholds, minConfidence }: RuleSet): unknown[] {
  return entries(thresholds).filter(([, value]) => value !== minConfidence);
}

function readingParts({ reading: { ocr, limits } }: RuleSet): unknown[] {
  const others = entries(limits).filter(([name, value]) => value !== DEFAULT_LIMITS[name as Limited]);
  return ocr || others.length > 0 ? [[ocr, others]] : [];
}

type Limited = keyof ExtractionLimits;

function byId([a]: readonly unknown[], [b]: readonly unknown[]): number {
  return String(a) < String(b) ? -1 : 1;
}

function selected({ include, exclude }: Selection): string[][] {
  return [sorted(include), sorted(exclude)];
}

function entries(values: Readonly<Record<string, number>>): [string, number | undefined][] {
  return sorted(Object.keys(values)).map((id) => [id, values[id]]);
}

/** Neither order nor repetition means anything in our lists. */
function sorted(items: readonly string[]): string[] {
  return [...new Set(items)].sort();
}

function sha256(canonical: unknown): string {
  return createHash('sha256').update(JSON.stringify(canonical)).digest('hex');
}
