import { createHash } from 'node:crypto';
import { OPTIONAL } from '../detection/catalogue-info.ts';
import type { CustomRule } from '../detection/custom.ts';
import { DEFAULT_LIMITS, type ExtractionLimits } from '../extraction/budget/limits.ts';
import type { Policy } from './policies/policy.ts';

/** What to detect, thresholds, scope and weights. Written by hand in YAML: see rule-file.ts. */
export interface RuleSet {
  /** Version of the format. */
  readonly version: 1;
  readonly name: string;
  /** Findings below it are not reported, 0–1. */
  readonly minConfidence: number;
  /** Overrides of it for single detectors. */
  readonly thresholds: Readonly<Record<string, number>>;
  /** Packs of the file and of the command line; their detectors are in `detectors.include`. */
  readonly packs: readonly string[];
  readonly packsAsked: readonly string[];
  /** An empty `include` means all; `exclude` wins. Custom detectors are enabled unless excluded. */
  readonly detectors: Selection;
  readonly custom: readonly CustomRule[];
  /** Overrides of the default weights, by detector. */
  readonly weights: Readonly<Record<string, number>>;
  /** Globs over paths; an empty `include` means everything, `exclude` wins. */
  readonly paths: Selection;
  /** Names of columns (keys, fields) and tables whose findings are reported; `*` stands for anything. */
  readonly columns: Selection;
  readonly tables: Selection;
  /** Percentage of the objects that are scanned, unless the scan overrides it; null: all. */
  readonly sample: number | null;
  readonly reading: ReadingRules;
  /** For built-in ones an empty `include` means all; `own` ones are enabled unless excluded. */
  readonly policies: Selection & { readonly own: readonly Policy[] };
}

export interface Selection {
  readonly include: readonly string[];
  readonly exclude: readonly string[];
}

/** How documents are read. */
export interface ReadingRules {
  /** Images, and pages that are images. */
  readonly ocr: boolean;
  /** Overrides of the default limits. */
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

/** Findings of the detector are reported from this confidence on. */
export function thresholdOf(rules: RuleSet, detector: string): number {
  return rules.thresholds[detector] ?? rules.minConfidence;
}

/**
 * Equal hashes: the same bytes give the same findings, so unchanged objects need not be read again. Weights
 * are not included: scores can be recomputed from the counts.
 */
export function detectionHash(rules: RuleSet): string {
  const { include, exclude } = rules.detectors;
  // With an `include`, `exclude` only shortens it: [A, B] without B is [A].
  const on = include.length === 0 ? null : sorted(include.filter((id) => !exclude.includes(id)));
  const custom = rules.custom.filter(({ id }) => isDetectorOn(rules, id)).map(customParts);
  const off = on === null ? sorted(exclude) : [];
  // Defaults are omitted, so that new settings don't change the hashes of existing rule sets.
  const more = [thresholdParts(rules), custom.sort(byId), selected(rules.columns), selected(rules.tables)];
  return sha256([rules.minConfidence, on, off, ...more, ...readingParts(rules)]);
}

/** Equal hashes: the same scan of the same source. The name is not included. */
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

/** Names, titles and examples change no findings, so they are not included. */
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

/** Omits thresholds that equal the default. */
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

/** Order and duplicates are irrelevant in our lists. */
function sorted(items: readonly string[]): string[] {
  return [...new Set(items)].sort();
}

function sha256(canonical: unknown): string {
  return createHash('sha256').update(JSON.stringify(canonical)).digest('hex');
}
