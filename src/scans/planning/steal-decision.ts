/** Decides whether and where to split a shard. Pure: the caller executes the probes. */
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
  /** The page that its holder listed last, if it was published. */
  readonly page: CountedRange | null;
  readonly hint: SplitHint | null;
  /** The estimate that it was chosen for. */
  readonly left: number;
}

export interface StealOptions {
  /** Number of parts to split into, if it has enough keys. */
  readonly splitCount: number;
  /** Minimum number of keys that are worth a split. */
  readonly minKeys: number;
  /** Skip this shard if it has much less than the estimate: another one may have more. */
  readonly selective: boolean;
}

export interface SplitDecision {
  /** Empty: the hint contains the new estimate. */
  readonly splitPoints: readonly Key[];
  /** One for each part between the split points; the first is for what its holder keeps. */
  readonly hints: readonly SplitHint[];
  /** Skipped in favour of another shard; the hint contains its low estimate. */
  readonly skippedTarget: boolean;
}

/** Number of shards skipped in a row before one is split in any case. */
export const MAX_SKIPPED_TARGETS = 4;
const MAX_PROBE_ROUNDS = 1;
const MAX_SPLIT_COUNT = 32;
const MIN_EXPECTED_SHARE = 0.8;

/** Enough parts for all idle slots. */
export function splitCountFor(idle: number, running: number): number {
  return Math.min(MAX_SPLIT_COUNT, Math.max(2, 1 + Math.ceil(idle / Math.max(1, running))));
}

/** Minimum duration of work that is worth a split, in seconds: the end of a scan may be later by that. */
export function minSplitSeconds(elapsedSeconds: number): number {
  return Math.min(5, Math.max(1, 0.003 * elapsedSeconds));
}

/** Minimum number of keys that are worth a split, however slow they are; and while their speed is unknown. */
const MIN_SPLIT_KEYS = 20;
const DEFAULT_MIN_SPLIT_KEYS = 300;

/** The number of keys that are not worth a split. */
export function minSplitKeys(elapsedSeconds: number, secondsPerKey: number | null): number {
  if (secondsPerKey === null) return DEFAULT_MIN_SPLIT_KEYS;
  return Math.max(MIN_SPLIT_KEYS, minSplitSeconds(elapsedSeconds) / secondsPerKey);
}

export function* stealProbes(
  target: StealTarget,
  { splitCount, minKeys, selective }: StealOptions,
): ProbePlan<SplitDecision> {
  const free = { after: target.reserved, upTo: target.range.upTo };
  const estimator = new RangeEstimator(free, countedRangesOf(target));
  const isSelective = selective && target.hint !== null; // an unprobed shard has no estimate
  const hasTooFewKeys = () =>
    isSelective && estimator.total + keysInProgress(target, estimator) < MIN_EXPECTED_SHARE * target.left;
  if (needsFinerSamples(estimator, minKeys)) estimator.add(yield [free]);
  if (hasTooFewKeys()) return toDecision(target, estimator, [], true);
  const worth = () => Math.floor((2 * estimator.total) / minKeys);
  // Without any sample, the first probe only shows what keys look like here.
  const first = estimator.countedRanges.some(({ keys }) => keys.length > 0) ? 0 : -1;
  for (
    let round = first;
    round < MAX_PROBE_ROUNDS && (round === first || estimator.total >= minKeys);
    round++
  ) {
    const probes = probesForSplits(estimator, Math.min(splitCount, Math.max(2, worth())));
    if (probes.length === 0) break;
    estimator.add(yield probes);
    if (hasTooFewKeys()) return toDecision(target, estimator, [], true);
  }
  return toDecision(target, estimator, splitPointsFor(estimator, Math.min(splitCount, worth())), false);
}

/** One probe returns all of it. */
const MAX_KEYS_PER_PROBE = 800;

/** The few remaining keys have too few samples to be divided, but take long enough to be worth a probe. */
function needsFinerSamples(estimator: RangeEstimator, minKeys: number): boolean {
  const { range, total } = estimator;
  const isWorth =
    total + estimator.countErrorOf(range) >= minKeys &&
    total < MAX_KEYS_PER_PROBE &&
    estimator.isCounted(range);
  return isWorth && estimator.maxSampleGap > minKeys / 2;
}

function toDecision(
  target: StealTarget,
  estimator: RangeEstimator,
  splitPoints: readonly Key[],
  skippedTarget: boolean,
): SplitDecision {
  const [kept, ...taken] = splitHintsFor(estimator, splitPoints);
  const estimatedKeys = kept!.estimatedKeys + target.listed + keysInProgress(target, estimator);
  return { splitPoints, hints: [{ ...kept!, estimatedKeys }, ...taken], skippedTarget };
}

/** Keys that the holder is processing, by the published page: those not passed, minus the free ones. */
function keysInProgress(target: StealTarget, estimator: RangeEstimator): number {
  const ahead = listedAhead(target);
  const listedPage = ahead && clip(ahead, target.range);
  if (!listedPage) return 0;
  const free = listedPage.upTo === null ? estimator.total : estimator.countUpTo(listedPage.upTo);
  return Math.max(0, listedPage.count - free);
}

/**
 * What the holder has listed beyond its cursor. For the first page of a range, all keys before the cursor
 * are counted.
 */
function listedAhead({ page, cursor, listed, range }: StealTarget): CountedRange | null {
  const rest = page && clip(page, { after: cursor, upTo: page.upTo });
  if (!rest || page.after !== range.after) return rest;
  const off = page.count - listed - rest.count;
  return { ...rest, count: Math.max(0, rest.count + off), places: rest.places.map((rank) => rank + off) };
}

/** The stored hint, the range that the holder has passed, and what it has listed ahead. */
function countedRangesOf(target: StealTarget): CountedRange[] {
  const { range, cursor, listed, hint } = target;
  const rest = listedAhead(target);
  const passed: CountedRange = {
    after: range.after,
    upTo: rest?.upTo === undefined ? cursor : rest.upTo,
    count: listed + (rest?.count ?? 0),
    bytes: 0,
    keys: rest?.keys ?? [],
    places: rest?.places.map((rank) => rank + listed) ?? [],
  };
  return passed.upTo === range.after
    ? [...(hint?.countedRanges ?? [])]
    : replaceOverlaps(hint?.countedRanges ?? [], passed);
}

/** Bound on the requests of all idle workers together. */
const MAX_REQUESTS_PER_MS = 1;

/** Pause of a stealer that found nothing: the shorter, the fewer workers are idle. */
export function stealPauseMs(failures: number, idle: number): number {
  const longest = Math.min(1000, Math.max(50, idle / MAX_REQUESTS_PER_MS));
  return Math.min(longest, 25 * 2 ** Math.min(failures, 10));
}

/** Pause before a shard that could not be split is probed again. */
export function targetBackoffMs(failures: number): number {
  return Math.min(8000, 250 * 2 ** Math.min(failures, 10));
}
