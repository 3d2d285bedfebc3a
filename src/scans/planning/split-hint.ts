/** Stored with a lease for later splits, so that no range is probed twice. */
import type { Key } from '../../base/key.ts';
import type { Range } from '../../base/range.ts';
import type { KeyCodec } from '../../base/sealed-key.ts';
import { type CountedRange, isStorable, thinSamples } from './counted-range.ts';
import type { RangeEstimator } from './range-estimator.ts';

export interface SplitHint {
  /** Estimated keys in the lease's whole range. */
  readonly estimatedKeys: number;
  /** Nothing of it is estimated. */
  readonly exact: boolean;
  /** Maximum error of an exact count: it was split between two samples. */
  readonly countError: number;
  /** Counted ranges in the range, and the next on either side. */
  readonly countedRanges: readonly CountedRange[];
}

const MAX_COUNTED_RANGES = 24;
/** Minimum assumed size of a shard without an estimate. */
const MIN_UNKNOWN_KEYS = 1000;

/** One for each part between the split points. */
export function splitHintsFor(estimator: RangeEstimator, splitPoints: readonly Key[]): SplitHint[] {
  const { range } = estimator;
  return [range.after, ...splitPoints].map((after, i) => {
    const part = { after, upTo: splitPoints[i] ?? range.upTo };
    const to = part.upTo === null ? estimator.total : estimator.countUpTo(part.upTo);
    return {
      estimatedKeys: Math.round(to - estimator.countUpTo(after)),
      exact: estimator.isCounted(part),
      countError: estimator.countErrorOf(part),
      countedRanges: rangesAround(estimator.countedRanges, part),
    };
  });
}

/**
 * The estimated rest of a shard, to choose the one with most. If progress exceeds the estimate, it was too
 * low, and as much again is assumed. Must agree with the statement in split-hint-store.ts.
 */
export function keysLeft(hint: SplitHint, passed: number): number {
  const left = hint.estimatedKeys - passed;
  return hint.exact ? left : Math.max(Math.abs(left), MIN_UNKNOWN_KEYS);
}

/** Merges the hints of parts that were not split. */
export function mergeHints(hints: readonly SplitHint[]): SplitHint {
  return {
    estimatedKeys: hints.reduce((sum, hint) => sum + hint.estimatedKeys, 0),
    exact: hints.every((hint) => hint.exact),
    countError: (hints[0]?.countError ?? 0) + (hints.length > 1 ? hints.at(-1)!.countError : 0),
    countedRanges: hints
      .flatMap(({ countedRanges: knowns }) => knowns)
      .filter((counted, i, all) => all.findIndex(({ after }) => after === counted.after) === i),
  };
}

/** Omits pages with a name that can't be stored: they are listed again when needed. */
export function storableHint(hint: SplitHint, storage: KeyCodec): SplitHint {
  return { ...hint, countedRanges: hint.countedRanges.filter((counted) => isStorable(counted, storage)) };
}

function rangesAround(counted: readonly CountedRange[], { after, upTo }: Range): CountedRange[] {
  const from = Math.max(0, counted.findIndex((one) => one.upTo === null || one.upTo > after) - 1);
  const end = upTo === null ? -1 : counted.findIndex((one) => one.after >= upTo);
  const inside = counted.slice(from, end === -1 ? counted.length : end + 1);
  const step = Math.max(1, inside.length / MAX_COUNTED_RANGES);
  const kept = Math.min(inside.length, MAX_COUNTED_RANGES);
  return Array.from({ length: kept }, (_, i) => thinSamples(inside[Math.floor(i * step)]!));
}
