/**
 * Column classification. If one detector matches most values of a column, the column gets its type, and the matches of other detectors in
 * a few values are treated as outliers unless a proof supports them.
 */
import { type ContextMatcher, compileContext, fieldWords } from './context/context.ts';
import { type Detector, STRENGTHS } from './detector.ts';

/** Share of a column's values that must match to classify it; less is needed if its name supports the type. */
const MIN_SHARE = 0.6;
const MIN_SHARE_IF_NAMED = 0.3;
/** Values required if the column name does not support the type. */
const MIN_VALUES = 10;
/** Matches required of a detector of heuristic strength. */
const MIN_HEURISTIC_VALUES = 3;
/** Outliers are only recognised in columns with at least this many values. */
const OUTLIER_MIN_VALUES = 50;
const OUTLIER_MAX_SHARE = 0.05;
/** Confidence penalty of an outlier. Documented: change it only together with the docs. */
export const OUTLIER_PENALTY = -0.35;

export interface ColumnMatches {
  readonly detector: Detector;
  /** Values that it matched. */
  readonly cells: number;
  /** Average over its matches. */
  readonly confidence: number;
}

export interface ColumnClassification {
  readonly detector: string;
  /** Share of the values, 0–1. */
  readonly share: number;
  readonly confidence: number;
}

export function classifyMatches(
  name: string,
  values: number,
  candidates: readonly ColumnMatches[],
  enough = MIN_VALUES,
): ColumnClassification | null {
  const dominant = candidates.filter((matches) => isDominant(name, values, matches, enough));
  const best = dominant.sort((a, b) => b.cells - a.cells || byPrecedence(name, a.detector, b.detector))[0];
  if (best === undefined) return null;
  const share = shareOf(best, values);
  // The average confidence of its values, reduced by up to half as the share falls.
  const confidence = best.confidence * (0.5 + share / 2);
  return { detector: best.detector.id, share: rounded(share), confidence: rounded(confidence) };
}

/** Whether this match of whole values of the column is an outlier. */
export function isOutlier(
  name: string,
  values: number,
  matches: ColumnMatches,
  type: { readonly detector: Detector; readonly share: number } | null,
): boolean {
  const { detector } = matches;
  if (rankOf(detector) < FORMAT_RANK || nameMatches(name, detector)) return false;
  const share = shareOf(matches, values);
  if (type !== null && rankOf(detector) > rankOf(type.detector)) return share < type.share / 2;
  return detector.strength === 'heuristic' && values >= OUTLIER_MIN_VALUES && share < OUTLIER_MAX_SHARE;
}

function isDominant(name: string, values: number, matches: ColumnMatches, enough: number): boolean {
  const share = shareOf(matches, values);
  if (nameMatches(name, matches.detector)) return share >= MIN_SHARE_IF_NAMED;
  const min = matches.detector.strength === 'heuristic' ? Math.max(enough, MIN_HEURISTIC_VALUES) : enough;
  return values >= min && share >= MIN_SHARE;
}

/**
 * Capped at 1: two matches in one value count once, and a match of part of a value counts too, so there may be more matches than values.
 */
function shareOf({ cells }: ColumnMatches, values: number): number {
  return values === 0 ? 0 : Math.min(1, cells / values);
}

function byPrecedence(name: string, a: Detector, b: Detector): number {
  return Number(nameMatches(name, b)) - Number(nameMatches(name, a)) || rankOf(a) - rankOf(b);
}

const FORMAT_RANK = STRENGTHS.indexOf('format');

function rankOf({ strength }: Detector): number {
  return STRENGTHS.indexOf(strength);
}

const tests = new WeakMap<Detector, ContextMatcher>();

/** Detectors without context words are matched by their name. */
function nameMatches(name: string, detector: Detector): boolean {
  const own = { words: [detector.id.toLowerCase().replaceAll('_', ' ')] };
  const test = tests.get(detector) ?? compileContext(detector.context ?? own);
  tests.set(detector, test);
  const words = fieldWords(name);
  return test.isPositive(words) && !test.isNegative(words);
}

function rounded(share: number): number {
  return Math.round(share * 100) / 100;
}
