/**
 * The values of a column are of one kind. Where most of them are claimed by one detector the column is judged to be of its kind, and
 * what another one sees in a few of them is doubted, unless more than a look speaks for it.
 */
import { type ContextMatcher, compileContext, fieldWords } from './context.ts';
import { type Detector, STRENGTHS } from './detector.ts';

/** So many of its values make a column one of a kind; fewer do if its name speaks for the kind. */
const MIN_SHARE = 0.6;
const MIN_SHARE_IF_NAMED = 0.3;
/** Without a name: so many values must have been seen. */
const MIN_VALUES = 10;
/** What is only guessed must be guessed so often. */
const MIN_GUESSED_VALUES = 3;
/** Of at least so many values so few: strays in any column. */
const OUTLIER_MIN_VALUES = 50;
const OUTLIER_MAX_SHARE = 0.05;
/** The written weight of standing in a column of something else. */
export const OUTLIER_PENALTY = -0.35;

export interface ColumnMatches {
  readonly detector: Detector;
  /** Values that it claimed. */
  readonly cells: number;
  /** Of its claims, on average. */
  readonly confidence: number;
}

export interface ColumnClassification {
  readonly detector: string;
  /** Of the values, 0–1. */
  readonly share: number;
  readonly confidence: number;
}

export function classifyMatches(
  name: string,
  values: number,
  claims: readonly ColumnMatches[],
  enough = MIN_VALUES,
): ColumnClassification | null {
  const able = claims.filter((matches) => isDominant(name, values, matches, enough));
  const best = able.sort((a, b) => b.cells - a.cells || byPrecedence(name, a.detector, b.detector))[0];
  if (best === undefined) return null;
  const share = shareOf(best, values);
  // As sure as its values are, less by half of what the others leave open.
  const confidence = best.confidence * (0.5 + share / 2);
  return { detector: best.detector.id, share: rounded(share), confidence: rounded(confidence) };
}

/** Whether this claim to whole values of the column is to be doubted. */
export function isOutlier(
  name: string,
  values: number,
  matches: ColumnMatches,
  kind: { readonly detector: Detector; readonly share: number } | null,
): boolean {
  const { detector } = matches;
  if (rankOf(detector) < FORMAT_RANK || nameMatches(name, detector)) return false;
  const share = shareOf(matches, values);
  if (kind !== null && rankOf(detector) > rankOf(kind.detector)) return share < kind.share / 2;
  return detector.standing === 'guessed' && values >= OUTLIER_MIN_VALUES && share < OUTLIER_MAX_SHARE;
}

function isDominant(name: string, values: number, matches: ColumnMatches, enough: number): boolean {
  const share = shareOf(matches, values);
  if (nameMatches(name, matches.detector)) return share >= MIN_SHARE_IF_NAMED;
  const min = matches.detector.standing === 'guessed' ? Math.max(enough, MIN_GUESSED_VALUES) : enough;
  return values >= min && share >= MIN_SHARE;
}

/** Two claims in one value are one; a part of the values is counted, so claims may seem to be more. */
function shareOf({ cells }: ColumnMatches, values: number): number {
  return values === 0 ? 0 : Math.min(1, cells / values);
}

function byPrecedence(name: string, a: Detector, b: Detector): number {
  return Number(nameMatches(name, b)) - Number(nameMatches(name, a)) || rankOf(a) - rankOf(b);
}

const FORMAT_RANK = STRENGTHS.indexOf('formed');

function rankOf({ standing }: Detector): number {
  return STRENGTHS.indexOf(standing);
}

const tests = new WeakMap<Detector, ContextMatcher>();

/** Kinds that need no words to be told are still called something. */
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
