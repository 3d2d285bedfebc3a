/**
 * The values of a column are of one kind. Where most of them are claimed by one detector the column is judged to be of its kind, and
 * what another one sees in a few of them is doubted, unless more than a look speaks for it.
 */
import { type ContextTest, contextTest, fieldWords } from './context.ts';
import { type Detector, STANDINGS } from './detector.ts';

/** So many of its values make a column one of a kind; fewer do if its name speaks for the kind. */
const CLEAR = 0.6;
const CLEAR_IF_NAMED = 0.3;
/** Without a name: so many values must have been seen. */
const ENOUGH = 10;
/** What is only guessed must be guessed so often. */
const SOME = 3;
/** Of at least so many values so few: strays in any column. */
const MANY = 50;
const FEW = 0.05;
/** The written weight of standing in a column of something else. */
export const STRAY = -0.35;

export interface ColumnClaim {
  readonly detector: Detector;
  /** Values that it claimed. */
  readonly cells: number;
  /** Of its claims, on average. */
  readonly confidence: number;
}

export interface ColumnJudgement {
  readonly detector: string;
  /** Of the values, 0–1. */
  readonly share: number;
  readonly confidence: number;
}

export function judgeClaims(
  name: string,
  values: number,
  claims: readonly ColumnClaim[],
  enough = ENOUGH,
): ColumnJudgement | null {
  const able = claims.filter((claim) => isClear(name, values, claim, enough));
  const best = able.sort((a, b) => b.cells - a.cells || byRight(name, a.detector, b.detector))[0];
  if (best === undefined) return null;
  const share = shareOf(best, values);
  // As sure as its values are, less by half of what the others leave open.
  const confidence = best.confidence * (0.5 + share / 2);
  return { detector: best.detector.id, share: rounded(share), confidence: rounded(confidence) };
}

/** Whether this claim to whole values of the column is to be doubted. */
export function isStray(
  name: string,
  values: number,
  claim: ColumnClaim,
  kind: { readonly detector: Detector; readonly share: number } | null,
): boolean {
  const { detector } = claim;
  if (rankOf(detector) < FORMED || speaksFor(name, detector)) return false;
  const share = shareOf(claim, values);
  if (kind !== null && rankOf(detector) > rankOf(kind.detector)) return share < kind.share / 2;
  return detector.standing === 'guessed' && values >= MANY && share < FEW;
}

function isClear(name: string, values: number, claim: ColumnClaim, enough: number): boolean {
  const share = shareOf(claim, values);
  if (speaksFor(name, claim.detector)) return share >= CLEAR_IF_NAMED;
  const least = claim.detector.standing === 'guessed' ? Math.max(enough, SOME) : enough;
  return values >= least && share >= CLEAR;
}

/** Two claims in one value are one; a part of the values is counted, so claims may seem to be more. */
function shareOf({ cells }: ColumnClaim, values: number): number {
  return values === 0 ? 0 : Math.min(1, cells / values);
}

function byRight(name: string, a: Detector, b: Detector): number {
  return Number(speaksFor(name, b)) - Number(speaksFor(name, a)) || rankOf(a) - rankOf(b);
}

const FORMED = STANDINGS.indexOf('formed');

function rankOf({ standing }: Detector): number {
  return STANDINGS.indexOf(standing);
}

const tests = new WeakMap<Detector, ContextTest>();

/** Kinds that need no words to be told are still called something. */
function speaksFor(name: string, detector: Detector): boolean {
  const own = { words: [detector.id.toLowerCase().replaceAll('_', ' ')] };
  const test = tests.get(detector) ?? contextTest(detector.context ?? own);
  tests.set(detector, test);
  const words = fieldWords(name);
  return test.supports(words) && !test.denies(words);
}

function rounded(share: number): number {
  return Math.round(share * 100) / 100;
}
