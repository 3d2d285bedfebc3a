/** What is left behind with a lease for whoever splits it next, so that no place is looked at twice. */
import type { Key } from '../../base/key.ts';
import type { Range } from '../../base/range.ts';
import type { KeyCodec } from '../../base/sealed-key.ts';
import { type CountedRange, isStorable, thinSamples } from './counted-range.ts';
import type { RangeEstimator } from './range-estimator.ts';

export interface SplitHint {
  /** Keys in the lease's whole range, by the last guess. */
  readonly expected: number;
  /** Nothing of it is a guess. */
  readonly exact: boolean;
  /** Though nothing is a guess, so many keys more or fewer may be there: a cut was made between two that were seen. */
  readonly slack: number;
  /** In the range, and the next on either side. */
  readonly knowns: readonly CountedRange[];
}

const MAX_COUNTED_RANGES = 24;
/** Fewer keys of a shard of which nobody knows how much is left are not worth assuming. */
const MIN_UNKNOWN_KEYS = 1000;

/** One for each part between the cuts. */
export function splitHintsFor(explorer: RangeEstimator, cuts: readonly Key[]): SplitHint[] {
  const { range } = explorer;
  return [range.after, ...cuts].map((after, i) => {
    const part = { after, upTo: cuts[i] ?? range.upTo };
    const to = part.upTo === null ? explorer.total : explorer.countUpTo(part.upTo);
    return {
      expected: Math.round(to - explorer.countUpTo(after)),
      exact: explorer.isCounted(part),
      slack: explorer.countErrorOf(part),
      knowns: rangesAround(explorer.countedRanges, part),
    };
  });
}

/**
 * What a shard has left, to choose the one with most. A guess that was passed was too low: as much again may follow. The statement
 * that chooses says the same (split-hint-store.ts).
 */
export function keysLeft(hint: SplitHint, passed: number): number {
  const left = hint.expected - passed;
  return hint.exact ? left : Math.max(Math.abs(left), MIN_UNKNOWN_KEYS);
}

/** Of parts that stay together. */
export function mergeHints(hints: readonly SplitHint[]): SplitHint {
  return {
    expected: hints.reduce((sum, hint) => sum + hint.expected, 0),
    exact: hints.every((hint) => hint.exact),
    slack: (hints[0]?.slack ?? 0) + (hints.length > 1 ? hints.at(-1)!.slack : 0),
    knowns: hints
      .flatMap(({ knowns }) => knowns)
      .filter((known, i, all) => all.findIndex(({ after }) => after === known.after) === i),
  };
}

/** Without the pages that have a name which can't be stored: they are listed again when they are needed. */
export function storableHint(hint: SplitHint, storage: KeyCodec): SplitHint {
  return { ...hint, knowns: hint.knowns.filter((known) => isStorable(known, storage)) };
}

function rangesAround(knowns: readonly CountedRange[], { after, upTo }: Range): CountedRange[] {
  const from = Math.max(0, knowns.findIndex((known) => known.upTo === null || known.upTo > after) - 1);
  const end = upTo === null ? -1 : knowns.findIndex((known) => known.after >= upTo);
  const inside = knowns.slice(from, end === -1 ? knowns.length : end + 1);
  const step = Math.max(1, inside.length / MAX_COUNTED_RANGES);
  const kept = Math.min(inside.length, MAX_COUNTED_RANGES);
  return Array.from({ length: kept }, (_, i) => thinSamples(inside[Math.floor(i * step)]!));
}
