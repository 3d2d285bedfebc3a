/** Where to cut a range into parts of about the same number of keys, and where to look before. */
import type { Key } from '../../base/key.ts';
import { contains, type Range } from '../../base/range.ts';
import { type Explorer, isFar, stepShare } from './explorer.ts';
import type { Part } from './part.ts';

/** As a share of a part's size: a known key this close to where a cut should be is good enough. */
const NEAR = 0.4;

/** Where cuts should be, by the number of keys before them. */
interface Target {
  readonly part: Part;
  /** Keys before the part, and before the cut. */
  readonly before: number;
  readonly count: number;
}

/** Ranges to look at before cutting: where no known key is near a cut. */
export function looksForCuts(explorer: Explorer, ways: number): Range[] {
  const near = (NEAR * explorer.total) / ways;
  const places = knownPlaces(explorer);
  const blind = targetsFor(explorer, ways).filter(
    ({ part, count }) => part.known === null && !places.some(({ place }) => Math.abs(place - count) <= near),
  );
  const keys = [...Map.groupBy(blind, ({ part }) => part)].flatMap(([part, targets]) =>
    targets.map(({ before, count }, k) => {
      const share = isFar(part)
        ? stepShare(part, (k + 1) / (targets.length + 1))
        : (count - before) / part.count;
      return explorer.keyIn(part, share);
    }),
  );
  return explorer.looksAt([...keys, ...looksAtEnds(explorer)]);
}

/** The very beginning, and the first beyond all folders that are known: whether there is anything at all, one look tells. */
function looksAtEnds({ parts, range }: Explorer): Key[] {
  const keys: Key[] = [];
  if (parts[0]?.known === null) keys.push(range.after);
  const [before, last] = parts.slice(-2);
  if (last?.known === null && before?.known === null && (last.reach ?? -1) > 0) keys.push(last.after);
  return keys;
}

/** Cuts into `ways` parts; fewer where no key is known to lie between two cuts. */
export function cutsFor(explorer: Explorer, ways: number): Key[] {
  if (ways < 2) return [];
  const near = (NEAR * explorer.total) / ways;
  const places = knownPlaces(explorer);
  const wanted = targetsFor(explorer, ways).map(({ part, before, count }) => {
    const best = nearest(places, count);
    if (best !== undefined && Math.abs(best.place - count) <= near) return best.key;
    return explorer.keyIn(part, (count - before) / part.count);
  });
  const cuts = withKeysBetween(explorer, wanted);
  const any = cuts.length > 0 ? undefined : nearest(places, explorer.total / 2);
  return any === undefined ? cuts : withKeysBetween(explorer, [any.key]);
}

function targetsFor({ parts, total }: Explorer, ways: number): Target[] {
  const targets: Target[] = [];
  let before = 0;
  let next = 1;
  for (const part of parts) {
    for (; next < ways && before + part.count >= (total * next) / ways; next++) {
      targets.push({ part, before, count: (total * next) / ways });
    }
    before += part.count;
  }
  return targets;
}

interface Place {
  readonly key: Key;
  /** Keys that are guessed to come before it or be it. */
  readonly place: number;
}

/** Known keys of the range where a cut could be. Not the last: nothing is known to lie behind it. */
function knownPlaces({ parts }: Explorer): Place[] {
  const places: Place[] = [];
  let before = 0;
  for (const { known, count } of parts) {
    for (const [i, key] of known?.keys.entries() ?? [])
      places.push({ key, place: before + known!.places[i]! + 1 });
    before += count;
  }
  return places.slice(0, -1);
}

function nearest(places: readonly Place[], count: number): Place | undefined {
  let best: Place | undefined;
  for (const one of places) {
    if (best === undefined || Math.abs(one.place - count) < Math.abs(best.place - count)) best = one;
  }
  return best;
}

/** Only cuts inside the range, with a key that somebody has seen on either side. */
function withKeysBetween({ parts, range }: Explorer, wanted: readonly Key[]): Key[] {
  const keys = parts.flatMap((part) => part.known?.keys ?? []);
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
