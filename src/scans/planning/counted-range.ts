/**
 * What is known of a range: intervals of which it is known exactly how many keys they held when somebody looked, with some of
 * the keys at known places. Between them lies what nobody has looked at.
 */
import type { Key } from '../../base/key.ts';
import type { Range } from '../../base/range.ts';
import type { KeyCodec } from '../../base/sealed-key.ts';
import type { Page } from '../../sources/source.ts';

/** Exactly `count` keys in `(after, upTo]`. */
export interface CountedRange extends Range {
  readonly count: number;
  readonly bytes: number;
  /** Some of them in order: the key that has `places[i]` others of the interval before it. */
  readonly keys: readonly Key[];
  readonly places: readonly number[];
}

/** None of its names has a value that must not be stored. */
export function isStorable({ after, upTo, keys }: CountedRange, storage: KeyCodec): boolean {
  const all = [after, ...(upTo === null ? [] : [upTo]), ...keys];
  return all.every((key) => storage.seal(key) === key);
}

/** What a holder has just listed is told to thieves; fewer objects are done before one would come. */
export const MIN_PAGE_KEYS = 200;
const MAX_SAMPLES = 17;
const MAX_STORED_SAMPLES = 9;

/** Which of `count` keys to take as samples: the first, the last, and some evenly between. */
export function sampleRanks(count: number): number[] {
  return evenlySpaced(count, MAX_SAMPLES);
}

function evenlySpaced(count: number, max: number): number[] {
  const taken = Math.min(count, max);
  return Array.from({ length: taken }, (_, i) =>
    taken === 1 ? 0 : Math.round((i * (count - 1)) / (taken - 1)),
  );
}

/** What a page tells that was asked for with `asked`. */
export function countedPage(asked: Range, page: Page): CountedRange {
  const places = sampleRanks(page.keys.length);
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
export function thinSamples(known: CountedRange): CountedRange {
  const kept = evenlySpaced(known.keys.length, MAX_STORED_SAMPLES);
  if (kept.length === known.keys.length) return known;
  return { ...known, keys: kept.map((i) => known.keys[i]!), places: kept.map((i) => known.places[i]!) };
}

/** The part of it that lies in the range. Where the cut is between two samples, the count is shared out. */
export function clip(known: CountedRange, range: Range): CountedRange | null {
  const after = maxKey(range.after, known.after);
  const upTo = minKey(range.upTo, known.upTo);
  if (upTo !== null && upTo <= after) return null;
  if (after === known.after && upTo === known.upTo) return known;
  const from = rankOf(known, after);
  const to = upTo === null ? known.count : rankOf(known, upTo);
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
export function maxSampleGap({ places, count }: CountedRange): number {
  const bounds = [-1, ...places, count];
  return Math.max(...bounds.slice(1).map((place, i) => place - bounds[i]! - 1));
}

/** How far off the count may be where the bound cuts it. */
export function countErrorAt(known: CountedRange, bound: Key): number {
  const { after, upTo, keys } = known;
  if (bound <= after || (upTo !== null && bound >= upTo) || keys.length === 0) return 0;
  const { min, most } = rankBounds(known, bound);
  return (most - min) / 2;
}

/** How many of its keys are not after the bound, as far as the samples tell. */
function rankOf(known: CountedRange, bound: Key): number {
  const { after, upTo, count, keys } = known;
  if (bound <= after) return 0;
  if ((upTo !== null && bound >= upTo) || keys.length === 0 || bound >= keys.at(-1)!) return count;
  const { min, most } = rankBounds(known, bound);
  return Math.floor((min + most) / 2);
}

/** At least and at most so many, by the samples on either side of the bound. */
function rankBounds({ keys, places, count }: CountedRange, bound: Key): { min: number; most: number } {
  const next = keys.findIndex((key) => key > bound);
  const last = next === -1 ? keys.length - 1 : next - 1;
  const min = last < 0 ? 0 : places[last]! + 1;
  if (keys[last] === bound) return { min, most: min };
  return { min, most: next === -1 ? count : places[next]! };
}

/** The others without what overlaps with this newer one, and this one among them, in order. */
export function replaceOverlaps(others: readonly CountedRange[], newer: CountedRange): CountedRange[] {
  const rest = others.flatMap((other) => {
    const left =
      other.after < newer.after
        ? clip(other, { after: other.after, upTo: minKey(newer.after, other.upTo) })
        : null;
    const goesOn = newer.upTo !== null && (other.upTo === null || other.upTo > newer.upTo);
    const from = goesOn && other.after < newer.upTo! ? newer.upTo! : other.after;
    const right = goesOn ? clip(other, { after: from, upTo: other.upTo }) : null;
    if (left === other || right === other) return [other];
    return [left, right].filter(
      (part) => part !== null && (part.count === 0 || part.keys.length > 0),
    ) as CountedRange[];
  });
  return [...rest, newer].sort((a, b) => (a.after < b.after ? -1 : 1));
}

/** Intervals that follow one another directly become one, where one of them is empty. */
export function mergeEmpty(knowns: readonly CountedRange[]): CountedRange[] {
  const result: CountedRange[] = [];
  for (const known of knowns) {
    const last = result.at(-1);
    if (last === undefined || last.upTo !== known.after || (last.count > 0 && known.count > 0))
      result.push(known);
    else result[result.length - 1] = concatRanges(last, known);
  }
  return result;
}

function concatRanges(a: CountedRange, b: CountedRange): CountedRange {
  return {
    after: a.after,
    upTo: b.upTo,
    count: a.count + b.count,
    bytes: a.bytes + b.bytes,
    keys: [...a.keys, ...b.keys],
    places: [...a.places, ...b.places.map((place) => place + a.count)],
  };
}

export function minKey(a: Key | null, b: Key | null): Key | null {
  if (a === null || b === null) return a ?? b;
  return a < b ? a : b;
}

export function maxKey(a: Key, b: Key): Key {
  if (a > b) return a;
  return b;
}
