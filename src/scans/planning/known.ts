/**
 * What is known of a range: intervals of which it is known exactly how many keys they held when somebody looked, with some of
 * the keys at known places. Between them lies what nobody has looked at.
 */
import type { Key } from '../../base/key.ts';
import type { Range } from '../../base/range.ts';
import type { KeyStorage } from '../../base/sealed-key.ts';
import type { Page } from '../../sources/source.ts';

/** Exactly `count` keys in `(after, upTo]`. */
export interface Known extends Range {
  readonly count: number;
  readonly bytes: number;
  /** Some of them in order: the key that has `places[i]` others of the interval before it. */
  readonly keys: readonly Key[];
  readonly places: readonly number[];
}

/** None of its names has a value that must not be stored. */
export function isStorable({ after, upTo, keys }: Known, storage: KeyStorage): boolean {
  const all = [after, ...(upTo === null ? [] : [upTo]), ...keys];
  return all.every((key) => storage.seal(key) === key);
}

/** What a holder has just listed is told to thieves; fewer objects are done before one would come. */
export const WORTH_TELLING = 200;
const SAMPLES = 17;
const KEPT = 9;

/** Which of `count` keys to take as samples: the first, the last, and some evenly between. */
export function samplePlaces(count: number): number[] {
  return spread(count, SAMPLES);
}

function spread(count: number, most: number): number[] {
  const taken = Math.min(count, most);
  return Array.from({ length: taken }, (_, i) =>
    taken === 1 ? 0 : Math.round((i * (count - 1)) / (taken - 1)),
  );
}

/** What a page tells that was asked for with `asked`. */
export function knownOf(asked: Range, page: Page): Known {
  const places = samplePlaces(page.keys.length);
  return {
    after: asked.after,
    upTo: page.more ? page.keys.at(-1)! : asked.upTo,
    count: page.keys.length,
    bytes: page.bytes,
    keys: places.map((place) => page.keys[place]!),
    places,
  };
}

/** With fewer samples, to be kept. */
export function thinned(known: Known): Known {
  const kept = spread(known.keys.length, KEPT);
  if (kept.length === known.keys.length) return known;
  return { ...known, keys: kept.map((i) => known.keys[i]!), places: kept.map((i) => known.places[i]!) };
}

/** The part of it that lies in the range. Where the cut is between two samples, the count is shared out. */
export function clip(known: Known, range: Range): Known | null {
  const after = higher(range.after, known.after);
  const upTo = lower(range.upTo, known.upTo);
  if (upTo !== null && upTo <= after) return null;
  if (after === known.after && upTo === known.upTo) return known;
  const from = placeUpTo(known, after);
  const to = upTo === null ? known.count : placeUpTo(known, upTo);
  const inside = known.keys.map((key) => key > after && (upTo === null || key <= upTo));
  return {
    after,
    upTo,
    count: to - from,
    bytes: known.count === 0 ? 0 : Math.round((known.bytes * (to - from)) / known.count),
    keys: known.keys.filter((_, i) => inside[i]),
    places: known.places.filter((_, i) => inside[i]).map((place) => place - from),
  };
}

/** The most keys between two samples, or beside them. */
export function widestIn({ places, count }: Known): number {
  const bounds = [-1, ...places, count];
  return Math.max(...bounds.slice(1).map((place, i) => place - bounds[i]! - 1));
}

/** How far off the count may be where the bound cuts it. */
export function slackAt(known: Known, bound: Key): number {
  const { after, upTo, keys } = known;
  if (bound <= after || (upTo !== null && bound >= upTo) || keys.length === 0) return 0;
  const { least, most } = placesUpTo(known, bound);
  return (most - least) / 2;
}

/** How many of its keys are not after the bound, as far as the samples tell. */
function placeUpTo(known: Known, bound: Key): number {
  const { after, upTo, count, keys } = known;
  if (bound <= after) return 0;
  if ((upTo !== null && bound >= upTo) || keys.length === 0 || bound >= keys.at(-1)!) return count;
  const { least, most } = placesUpTo(known, bound);
  return Math.floor((least + most) / 2);
}

/** At least and at most so many, by the samples on either side of the bound. */
function placesUpTo({ keys, places, count }: Known, bound: Key): { least: number; most: number } {
  const next = keys.findIndex((key) => key > bound);
  const last = next === -1 ? keys.length - 1 : next - 1;
  const least = last < 0 ? 0 : places[last]! + 1;
  if (keys[last] === bound) return { least, most: least };
  return { least, most: next === -1 ? count : places[next]! };
}

/** The others without what overlaps with this newer one, and this one among them, in order. */
export function withNewer(others: readonly Known[], newer: Known): Known[] {
  const rest = others.flatMap((other) => {
    const left =
      other.after < newer.after
        ? clip(other, { after: other.after, upTo: lower(newer.after, other.upTo) })
        : null;
    const goesOn = newer.upTo !== null && (other.upTo === null || other.upTo > newer.upTo);
    const from = goesOn && other.after < newer.upTo! ? newer.upTo! : other.after;
    const right = goesOn ? clip(other, { after: from, upTo: other.upTo }) : null;
    if (left === other || right === other) return [other];
    return [left, right].filter(
      (part) => part !== null && (part.count === 0 || part.keys.length > 0),
    ) as Known[];
  });
  return [...rest, newer].sort((a, b) => (a.after < b.after ? -1 : 1));
}

/** Intervals that follow one another directly become one, where one of them is empty. */
export function merged(knowns: readonly Known[]): Known[] {
  const result: Known[] = [];
  for (const known of knowns) {
    const last = result.at(-1);
    if (last === undefined || last.upTo !== known.after || (last.count > 0 && known.count > 0))
      result.push(known);
    else result[result.length - 1] = joined(last, known);
  }
  return result;
}

function joined(a: Known, b: Known): Known {
  return {
    after: a.after,
    upTo: b.upTo,
    count: a.count + b.count,
    bytes: a.bytes + b.bytes,
    keys: [...a.keys, ...b.keys],
    places: [...a.places, ...b.places.map((place) => place + a.count)],
  };
}

export function lower(a: Key | null, b: Key | null): Key | null {
  if (a === null || b === null) return a ?? b;
  return a < b ? a : b;
}

export function higher(a: Key, b: Key): Key {
  if (a > b) return a;
  return b;
}
