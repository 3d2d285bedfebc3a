import type { SourceObject } from '../source.ts';
import { blocksAround, type NameOrder, successor } from './name-order.ts';

/**
 * Converts a listing in the service's order (see name-order.ts) to byte order. The rest of a listing is a list of runs: each is a range
 * in the service's order, and the list is in byte order. One response covers as many runs as it extends over. If it ends inside a block,
 * the items of the block's first class are held back until the second class has been listed.
 */
export interface ListingRange {
  readonly from: string;
  /** Null: to the end. */
  readonly to: string | null;
}

/** A range that may be empty: from null is beyond the end. */
type UnboundedRange = { readonly from: string | null; readonly to: string | null };

/** A listed name with its sort key. `object` is null for a folder marker. */
export interface SortedItem {
  readonly sortKey: string;
  readonly object: SourceObject | null;
}

/** A response from a position on, in the service's order. `complete`: nothing follows. */
export interface ListingAnswer {
  readonly from: string;
  readonly items: readonly SortedItem[];
  readonly complete: boolean;
}

export interface Advance {
  /** In byte order, after everything found before. */
  readonly found: SourceObject[];
  readonly left: ListingRange[];
  /** First classes that proved to be empty, by their start. */
  readonly empty: string[];
}

/** The runs after the key in byte order. First classes that are known to be empty are skipped. */
export function rangesAfter(
  order: NameOrder,
  after: string,
  prefixLength: number,
  isEmpty: (first: string) => boolean,
): ListingRange[] {
  const runs: UnboundedRange[] = [];
  const place = order.sortKeyOf(after);
  let from: string | null = successor(place);
  for (const { block, inFirst } of blocksAround(order, place, prefixLength)) {
    runs.push({ from, to: inFirst ? block.second : block.end });
    if (!inFirst && !isEmpty(block.first)) runs.push({ from: block.first, to: block.second });
    from = block.end;
  }
  return mergeRanges([...runs, { from, to: null }]);
}

/** Extracts from a response what comes next in byte order. */
export function advance(
  order: NameOrder,
  prefixLength: number,
  runs: readonly ListingRange[],
  answer: ListingAnswer,
): Advance {
  const last = answer.items.at(-1)?.sortKey;
  const known = answer.complete ? null : last === undefined ? answer.from : successor(last);
  const found: SourceObject[] = [];
  const left = [...runs];
  const empty: string[] = [];
  for (let run = left[0]; run !== undefined; run = left[0]) {
    if (run.from < answer.from || (known !== null && run.from >= known)) break;
    const within = answer.items.filter(({ sortKey }) => isInRange(run, sortKey));
    if (known === null || (run.to !== null && run.to <= known)) {
      left.shift();
      if (within.length === 0) empty.push(run.from);
      found.push(...inByteOrder(within));
      continue;
    }
    const { runs: rest, held } = holdBackBlock(order, prefixLength, run, within, last!);
    left.splice(0, 1, ...rest);
    found.push(...inByteOrder(within.filter(({ sortKey }) => !held.some((one) => isInRange(one, sortKey)))));
    break;
  }
  const end = answer.items.findLast(({ object }) => object !== null && object === found.at(-1));
  if (end !== undefined) empty.push(...emptyAround(order, prefixLength, end.sortKey, answer));
  return { found, left: mergeRanges(left), empty };
}

/** The empty first classes around the position, for later listings that continue there. */
function* emptyAround(
  order: NameOrder,
  prefixLength: number,
  place: string,
  { from, items }: ListingAnswer,
): Generator<string> {
  for (const { block, inFirst } of blocksAround(order, place, prefixLength)) {
    const first = { from: block.first, to: block.second };
    if (!inFirst && from <= block.first && !items.some((item) => isInRange(first, item.sortKey)))
      yield block.first;
  }
}

/** The response ends at `last`, inside a run: returns what must be held back, and the rest of the run. */
function holdBackBlock(
  order: NameOrder,
  prefixLength: number,
  run: ListingRange,
  within: readonly SortedItem[],
  last: string,
) {
  let runs: UnboundedRange[] = [];
  const held: ListingRange[] = [];
  let from: string | null = successor(last);
  for (const { block, inFirst } of blocksAround(order, last, prefixLength)) {
    // Not a whole block of this run: its other class is in another run.
    if (run.from > block.first || (run.to !== null && run.to <= block.second)) continue;
    const first = { from: block.first, to: block.second };
    if (inFirst) {
      runs = [{ from: block.second, to: block.end }, first];
      held.push(first);
      from = block.end;
    } else if (within.some(({ sortKey }) => isInRange(first, sortKey))) {
      runs.push({ from, to: block.end }, first);
      held.push(first);
      from = block.end;
    }
  }
  return { runs: mergeRanges([...runs, { from, to: run.to }]), held };
}

function isInRange({ from, to }: ListingRange, place: string): boolean {
  return place >= from && (to === null || place < to);
}

function inByteOrder(items: readonly SortedItem[]): SourceObject[] {
  const objects = items.flatMap(({ object }) => object ?? []);
  return objects.sort((a, b) => (a.key < b.key ? -1 : 1));
}

/** Drops empty runs and merges adjacent ones, so that one response covers more. */
function mergeRanges(runs: readonly UnboundedRange[]): ListingRange[] {
  const all: ListingRange[] = [];
  for (const { from, to } of runs) {
    const before = all.at(-1);
    if (from === null || (to !== null && from >= to)) continue;
    if (before?.to === from) all.splice(-1, 1, { from: before.from, to });
    else all.push({ from, to });
  }
  return all;
}
