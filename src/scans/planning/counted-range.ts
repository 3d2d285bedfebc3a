/**
 * Counted ranges: intervals with the exact number of keys at the time of a listing, and some of the keys
 * with their ranks. The gaps between them are unknown.
 */
import type { Key } from '../../base/key.ts';
import type { Range } from '../../base/range.ts';
import type { KeyCodec } from '../../base/sealed-key.ts';
import type { Page } from '../../sources/source.ts';

/** Exactly `count` keys in `(after, upTo]`. */
export interface CountedRange extends Range {
  readonly count: number;
  readonly bytes: number;
  /** Samples in order: `keys[i]` has `places[i]` other keys of the interval before it. */
  readonly keys: readonly Key[];
  readonly places: readonly number[];
}

/** None of its names contains a value that must not be stored. */
export function isStorable({ after, upTo, keys }: CountedRange, storage: KeyCodec): boolean {
  const all = [after, ...(upTo === null ? [] : [upTo]), ...keys];
  return all.every((key) => storage.seal(key) === key);
}

/**
 * Pages of this size and more are published for work stealers; fewer objects are done before a stealer
 * could use them.
 */
export const MIN_PAGE_KEYS = 200;
const MAX_SAMPLES = 17;
const MAX_STORED_SAMPLES = 9;

/** The ranks of the samples among `count` keys: the first, the last, and some evenly between. */
export function sampleRanks(count: number): number[] {
  return evenlySpaced(count, MAX_SAMPLES);
}

function evenlySpaced(count: number, max: number): number[] {
  const taken = Math.min(count, max);
  return Array.from({ length: taken }, (_, i) =>
    taken === 1 ? 0 : Math.round((i * (count - 1)) / (taken - 1)),
  );
}

/** The counted range of a page that was requested for `requested`. */
export function countedPage(requested: Range, page: Page): CountedRange {
  const places = sampleRanks(page.keys.length);
  return {
    after: requested.after,
    upTo: page.more ? page.keys.at(-1)! : requested.upTo,
    count: page.keys.length,
    bytes: page.bytes,
    keys: places.map((rank) => page.keys[rank]!),
    places,
  };
}

/** Reduces the samples for storage. */
export function thinSamples(counted: CountedRange): CountedRange {
  const kept = evenlySpaced(counted.keys.length, MAX_STORED_SAMPLES);
  if (kept.length === counted.keys.length) return counted;
  return { ...counted, keys: kept.map((i) => counted.keys[i]!), places: kept.map((i) => counted.places[i]!) };
}

/** The part inside the range. Between two samples the count is interpolated. */
export function clip(counted: CountedRange, range: Range): CountedRange | null {
  const after = maxKey(range.after, counted.after);
  const upTo = minKey(range.upTo, counted.upTo);
  if (upTo !== null && upTo <= after) return null;
  if (after === counted.after && upTo === counted.upTo) return counted;
  const from = rankOf(counted, after);
  const to = upTo === null ? counted.count : rankOf(counted, upTo);
  const inside = counted.keys.map((key) => key > after && (upTo === null || key <= upTo));
  return {
    after,
    upTo,
    count: to - from,
    bytes: counted.count === 0 ? 0 : Math.round((counted.bytes * (to - from)) / counted.count),
    keys: counted.keys.filter((_, i) => inside[i]),
    places: counted.places.filter((_, i) => inside[i]).map((rank) => rank - from),
  };
}

/** The maximum number of keys between two samples, or outside them. */
export function maxSampleGap({ places, count }: CountedRange): number {
  const bounds = [-1, ...places, count];
  return Math.max(...bounds.slice(1).map((rank, i) => rank - bounds[i]! - 1));
}

/** Maximum error of the count when the range is split at the bound. */
export function countErrorAt(counted: CountedRange, bound: Key): number {
  const { after, upTo, keys } = counted;
  if (bound <= after || (upTo !== null && bound >= upTo) || keys.length === 0) return 0;
  const { min, most } = rankBounds(counted, bound);
  return (most - min) / 2;
}

/** The estimated number of keys up to the bound, by the samples. */
function rankOf(counted: CountedRange, bound: Key): number {
  const { after, upTo, count, keys } = counted;
  if (bound <= after) return 0;
  if ((upTo !== null && bound >= upTo) || keys.length === 0 || bound >= keys.at(-1)!) return count;
  const { min, most } = rankBounds(counted, bound);
  return Math.floor((min + most) / 2);
}

/** Bounds of that number, by the samples on either side of the bound. */
function rankBounds({ keys, places, count }: CountedRange, bound: Key): { min: number; most: number } {
  const next = keys.findIndex((key) => key > bound);
  const last = next === -1 ? keys.length - 1 : next - 1;
  const min = last < 0 ? 0 : places[last]! + 1;
  if (keys[last] === bound) return { min, most: min };
  return { min, most: next === -1 ? count : places[next]! };
}

/** Replaces what overlaps with this newer range, and inserts it, in order. */
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

/** Merges adjacent intervals where one of them is empty. */
export function mergeEmpty(ranges: readonly CountedRange[]): CountedRange[] {
  const result: CountedRange[] = [];
  for (const range of ranges) {
    const last = result.at(-1);
    if (last === undefined || last.upTo !== range.after || (last.count > 0 && range.count > 0))
      result.push(range);
    else result[result.length - 1] = concatRanges(last, range);
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
    places: [...a.places, ...b.places.map((rank) => rank + a.count)],
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
