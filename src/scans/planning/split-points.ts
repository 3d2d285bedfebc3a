/** Where to cut a range into parts of about the same number of keys, and where to look before. */
import type { Key } from '../../base/key.ts';
import { contains, type Range } from '../../base/range.ts';
import type { EstimatedRange } from './estimated-range.ts';
import { isOpenEnded, type RangeEstimator, stepShare } from './range-estimator.ts';

/** As a share of a part's size: a known key this close to where a cut should be is good enough. */
const MAX_OFFSET_SHARE = 0.4;

/** Where cuts should be, by the number of keys before them. */
interface SplitTarget {
  readonly range: EstimatedRange;
  /** Keys before the part, and before the cut. */
  readonly before: number;
  readonly count: number;
}

/** Ranges to look at before cutting: where no known key is near a cut. */
export function probesForSplits(explorer: RangeEstimator, splitCount: number): Range[] {
  const near = (MAX_OFFSET_SHARE * explorer.total) / splitCount;
  const places = knownRanks(explorer);
  const blind = splitTargetsFor(explorer, splitCount).filter(
    ({ range, count }) =>
      range.counted === null && !places.some(({ rank }) => Math.abs(rank - count) <= near),
  );
  const keys = [...Map.groupBy(blind, ({ range }) => range)].flatMap(([part, targets]) =>
    targets.map(({ before, count }, k) => {
      const share = isOpenEnded(part)
        ? stepShare(part, (k + 1) / (targets.length + 1))
        : (count - before) / part.count;
      return explorer.keyIn(part, share);
    }),
  );
  return explorer.probesAt([...keys, ...probesAtEnds(explorer)]);
}

/** The very beginning, and the first beyond all folders that are known: whether there is anything at all, one look tells. */
function probesAtEnds({ ranges, range }: RangeEstimator): Key[] {
  const keys: Key[] = [];
  if (ranges[0]?.counted === null) keys.push(range.after);
  const [before, last] = ranges.slice(-2);
  if (last?.counted === null && before?.counted === null && (last.reach ?? -1) > 0) keys.push(last.after);
  return keys;
}

/** Cuts into `ways` parts; fewer where no key is known to lie between two cuts. */
export function splitPointsFor(explorer: RangeEstimator, splitCount: number): Key[] {
  if (splitCount < 2) return [];
  const near = (MAX_OFFSET_SHARE * explorer.total) / splitCount;
  const places = knownRanks(explorer);
  const wanted = splitTargetsFor(explorer, splitCount).map(({ range, before, count }) => {
    const best = nearest(places, count);
    if (best !== undefined && Math.abs(best.rank - count) <= near) return best.key;
    return explorer.keyIn(range, (count - before) / range.count);
  });
  const cuts = keepSeparated(explorer, wanted);
  const any = cuts.length > 0 ? undefined : nearest(places, explorer.total / 2);
  return any === undefined ? cuts : keepSeparated(explorer, [any.key]);
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
  /** Keys that are guessed to come before it or be it. */
  readonly rank: number;
}

/** Known keys of the range where a cut could be. Not the last: nothing is known to lie behind it. */
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

/** Only cuts inside the range, with a key that somebody has seen on either side. */
function keepSeparated({ ranges, range }: RangeEstimator, wanted: readonly Key[]): Key[] {
  const keys = ranges.flatMap((part) => part.counted?.keys ?? []);
  const cuts: Key[] = [];
  let at = 0;
  for (const cut of wanted) {
    if (!contains(range, cut) || cut === range.upTo || !(keys[at]! <= cut)) continue;
    let next = at;
    while (next < keys.length && keys[next]! <= cut) next++;
    if (next === keys.length) break;
    cuts.push(cut);
    at = next;
  }
  return cuts;
}
