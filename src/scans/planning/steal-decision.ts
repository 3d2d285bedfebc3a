/** What a thief decides about a shard. Pure: whoever runs it does the looking. */
import type { Key } from '../../base/key.ts';
import type { Range } from '../../base/range.ts';
import { type CountedRange, clip, replaceOverlaps } from './counted-range.ts';
import type { ProbePlan } from './probing.ts';
import { RangeEstimator } from './range-estimator.ts';
import { type SplitHint, splitHintsFor } from './split-hint.ts';
import { probesForSplits, splitPointsFor } from './split-points.ts';

export interface StealTarget {
  readonly range: Range;
  readonly cursor: Key;
  readonly reserved: Key;
  /** Keys of the range up to the cursor. */
  readonly listed: number;
  /** What its holder has listed last, if it told. */
  readonly page: CountedRange | null;
  readonly hint: SplitHint | null;
  /** What it was chosen for. */
  readonly left: number;
}

export interface StealOptions {
  /** Into so many parts, if it holds enough. */
  readonly ways: number;
  /** Fewer keys are not worth a cut. */
  readonly least: number;
  /** Another shard may have more, if this one turns out to have less than it was chosen for. */
  readonly picky: boolean;
}

export interface SplitDecision {
  /** None: then the hint says how much there is after all. */
  readonly cuts: readonly Key[];
  /** Of each part between the cuts; the first is what its holder keeps. */
  readonly hints: readonly SplitHint[];
  /** Given up for another shard; the hint says how little it has. */
  readonly skippedTarget: boolean;
}

/** Shards that turn out to have little, one after the other, before one is taken as it is. */
export const MAX_SKIPPED_TARGETS = 4;
const MAX_PROBE_ROUNDS = 1;
const MAX_SPLIT_COUNT = 32;
const MIN_EXPECTED_SHARE = 0.8;

/** So that everybody who is idle finds something. */
export function splitCountFor(idle: number, running: number): number {
  return Math.min(MAX_SPLIT_COUNT, Math.max(2, 1 + Math.ceil(idle / Math.max(1, running))));
}

/** Work that is not worth a split, in seconds: the end of a scan may be later by that. */
export function minSplitSeconds(elapsedSeconds: number): number {
  return Math.min(5, Math.max(1, 0.003 * elapsedSeconds));
}

/** Fewer keys are not worth a cut, however slow they are; so many while nobody knows how slow. */
const MIN_SPLIT_KEYS = 20;
const DEFAULT_MIN_SPLIT_KEYS = 300;

/** The keys that are not worth a split. */
export function minSplitKeys(elapsedSeconds: number, secondsPerKey: number | null): number {
  if (secondsPerKey === null) return DEFAULT_MIN_SPLIT_KEYS;
  return Math.max(MIN_SPLIT_KEYS, minSplitSeconds(elapsedSeconds) / secondsPerKey);
}

export function* stealProbes(
  victim: StealTarget,
  { ways, least, picky }: StealOptions,
): ProbePlan<SplitDecision> {
  const free = { after: victim.reserved, upTo: victim.range.upTo };
  const explorer = new RangeEstimator(free, countedRangesOf(victim));
  const isChoosy = picky && victim.hint !== null; // of one that nobody has looked at, nothing was expected
  const isDisappointing = () =>
    isChoosy && explorer.total + keysInProgress(victim, explorer) < MIN_EXPECTED_SHARE * victim.left;
  if (needsFinerSamples(explorer, least)) explorer.add(yield [free]);
  if (isDisappointing()) return toDecision(victim, explorer, [], true);
  const worth = () => Math.floor((2 * explorer.total) / least);
  // With no key known, the first look only tells what keys look like here.
  const first = explorer.countedRanges.some(({ keys }) => keys.length > 0) ? 0 : -1;
  for (let round = first; round < MAX_PROBE_ROUNDS && (round === first || explorer.total >= least); round++) {
    const looks = probesForSplits(explorer, Math.min(ways, Math.max(2, worth())));
    if (looks.length === 0) break;
    explorer.add(yield looks);
    if (isDisappointing()) return toDecision(victim, explorer, [], true);
  }
  return toDecision(victim, explorer, splitPointsFor(explorer, Math.min(ways, worth())), false);
}

/** One look tells all of it. */
const MAX_KEYS_PER_PROBE = 800;

/** Nobody knows the few keys that are left well enough to share them out, and they take long enough to be worth a look. */
function needsFinerSamples(explorer: RangeEstimator, minKeys: number): boolean {
  const { range, total } = explorer;
  const isWorth =
    total + explorer.countErrorOf(range) >= minKeys &&
    total < MAX_KEYS_PER_PROBE &&
    explorer.isCounted(range);
  return isWorth && explorer.maxSampleGap > minKeys / 2;
}

function toDecision(
  victim: StealTarget,
  explorer: RangeEstimator,
  cuts: readonly Key[],
  skippedTarget: boolean,
): SplitDecision {
  const [kept, ...taken] = splitHintsFor(explorer, cuts);
  const expected = kept!.expected + victim.listed + keysInProgress(victim, explorer);
  return { cuts, hints: [{ ...kept!, expected }, ...taken], skippedTarget };
}

/** Keys that the holder has begun, as far as it told what it lists: of those not passed, what is not free. */
function keysInProgress(victim: StealTarget, explorer: RangeEstimator): number {
  const ahead = listedAhead(victim);
  const told = ahead && clip(ahead, victim.range);
  if (!told) return 0;
  const free = told.upTo === null ? explorer.total : explorer.countUpTo(told.upTo);
  return Math.max(0, told.count - free);
}

/** What the holder has listed behind its cursor. Of the first page of a range, all before the cursor has been counted. */
function listedAhead({ page, cursor, listed, range }: StealTarget): CountedRange | null {
  const rest = page && clip(page, { after: cursor, upTo: page.upTo });
  if (!rest || page.after !== range.after) return rest;
  const off = page.count - listed - rest.count;
  return { ...rest, count: Math.max(0, rest.count + off), places: rest.places.map((place) => place + off) };
}

/** What others have left behind, what the holder has passed, and what it has listed ahead. */
function countedRangesOf(victim: StealTarget): CountedRange[] {
  const { range, cursor, listed, hint } = victim;
  const rest = listedAhead(victim);
  const passed: CountedRange = {
    after: range.after,
    upTo: rest?.upTo === undefined ? cursor : rest.upTo,
    count: listed + (rest?.count ?? 0),
    bytes: 0,
    keys: rest?.keys ?? [],
    places: rest?.places.map((place) => place + listed) ?? [],
  };
  return passed.upTo === range.after
    ? [...(hint?.knowns ?? [])]
    : replaceOverlaps(hint?.knowns ?? [], passed);
}

/** All who are idle together ask the database about so often in a millisecond. */
const MAX_REQUESTS_PER_MS = 1;

/** Before a thief that found nothing looks again: the sooner, the fewer are idle. */
export function stealPauseMs(failures: number, idle: number): number {
  const longest = Math.min(1000, Math.max(50, idle / MAX_REQUESTS_PER_MS));
  return Math.min(longest, 25 * 2 ** Math.min(failures, 10));
}

/** Before anybody looks again at a shard that could not be split. */
export function targetBackoffMs(failures: number): number {
  return Math.min(8000, 250 * 2 ** Math.min(failures, 10));
}
