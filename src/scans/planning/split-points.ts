/** Chooses where to split a range into parts of about the same number of keys, and what to probe before. */
import type { Key } from '../../base/key.ts';
import { contains, type Range } from '../../base/range.ts';
import type { EstimatedRange } from './estimated-range.ts';
import { isOpenEnded, type RangeEstimator, stepShare } from './range-estimator.ts';

/** As a share of a part's size: a sample within this distance of the ideal split point is good enough. */
const MAX_OFFSET_SHARE = 0.4;

/** Ideal split points, by the number of keys before them. */
interface SplitTarget {
  readonly range: EstimatedRange;
  /** Keys before the part, and before the split point. */
  readonly before: number;
  readonly count: number;
}

/** Ranges to probe before splitting: where no sample is near a split point. */
export function probesForSplits(estimator: RangeEstimator, splitCount: number): Range[] {
  const near = (MAX_OFFSET_SHARE * estimator.total) / splitCount;
  const places = knownRanks(estimator);
  const blind = splitTargetsFor(estimator, splitCount).filter(
    ({ range, count }) =>
      range.counted === null && !places.some(({ rank }) => Math.abs(rank - count) <= near),
  );
  const keys = [...Map.groupBy(blind, ({ range }) => range)].flatMap(([part, targets]) =>
    targets.map(({ before, count }, k) => {
      const share = isOpenEnded(part)
        ? stepShare(part, (k + 1) / (targets.length + 1))
        : (count - before) / part.count;
      return estimator.keyIn(part, share);
    }),
  );
  return estimator.probesAt([...keys, ...probesAtEnds(estimator)]);
}

/** The very start, and the first key after all known folders: one probe shows whether there are any keys. */
function probesAtEnds({ ranges, range }: RangeEstimator): Key[] {
  const keys: Key[] = [];
  if (ranges[0]?.counted === null) keys.push(range.after);
  const [before, last] = ranges.slice(-2);
  if (last?.counted === null && before?.counted === null && (last.reach ?? -1) > 0) keys.push(last.after);
  return keys;
}

/** Split points for `splitCount` parts; fewer where no sample is between two of them. */
export function splitPointsFor(estimator: RangeEstimator, splitCount: number): Key[] {
  if (splitCount < 2) return [];
  const near = (MAX_OFFSET_SHARE * estimator.total) / splitCount;
  const places = knownRanks(estimator);
  const ideal = splitTargetsFor(estimator, splitCount).map(({ range, before, count }) => {
    const best = nearest(places, count);
    if (best !== undefined && Math.abs(best.rank - count) <= near) return best.key;
    return estimator.keyIn(range, (count - before) / range.count);
  });
  const splitPoints = keepSeparated(estimator, ideal);
  const any = splitPoints.length > 0 ? undefined : nearest(places, estimator.total / 2);
  return any === undefined ? splitPoints : keepSeparated(estimator, [any.key]);
}

function splitTargetsFor({ ranges, total }: RangeEstimator, splitCount: number): SplitTarget[] {
  const targets: SplitTarget[] = [];
  let before = 0;
  let next = 1;
  for (const range of ranges) {
    for (; next < splitCount && before + range.count >= (total * next) / splitCount; next++) {
      targets.push({ range, before, count: (total * next) / splitCount });
    }
    before += range.count;
  }
  return targets;
}

interface KeyRank {
  readonly key: Key;
  /** Estimated number of keys up to and including it. */
  readonly rank: number;
}

/** Samples of the range that can be split points. Not the last: no key is known after it. */
function knownRanks({ ranges }: RangeEstimator): KeyRank[] {
  const places: KeyRank[] = [];
  let before = 0;
  for (const { counted, count } of ranges) {
    for (const [i, key] of counted?.keys.entries() ?? [])
      places.push({ key, rank: before + counted!.places[i]! + 1 });
    before += count;
  }
  return places.slice(0, -1);
}

function nearest(places: readonly KeyRank[], count: number): KeyRank | undefined {
  let best: KeyRank | undefined;
  for (const one of places) {
    if (best === undefined || Math.abs(one.rank - count) < Math.abs(best.rank - count)) best = one;
  }
  return best;
}

/** Keeps only split points inside the range, with a sample on either side. */
function keepSeparated({ ranges, range }: RangeEstimator, ideal: readonly Key[]): Key[] {
  const keys = ranges.flatMap((part) => part.counted?.keys ?? []);
  const splitPoints: Key[] = [];
  let at = 0;
  for (const cut of ideal) {
    if (!contains(range, cut) || cut === range.upTo || !(keys[at]! <= cut)) continue;
    let next = at;
    while (next < keys.length && keys[next]! <= cut) next++;
    if (next === keys.length) break;
    splitPoints.push(cut);
    at = next;
  }
  return splitPoints;
}
