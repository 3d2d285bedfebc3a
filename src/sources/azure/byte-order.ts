import type { SourceObject } from '../source.ts';
import { blocksAround, following, type NameOrder } from './name-order.ts';

/**
 * A listing in byte order from a service that lists in another one (see name-order.ts). What is left to list is a row of
 * runs: each is a stretch of the service's order, and the row is in byte order. One answer of the service is good for as
 * many runs of the row as it covers. Where it ends in the middle of a block, the first class of that block is held back
 * until the second has been listed.
 */
export interface Run {
  readonly from: string;
  /** Null: to the end. */
  readonly to: string | null;
}

/** Before it is known to be a run: from null is beyond everything, so there is nothing in it. */
type Stretch = { readonly from: string | null; readonly to: string | null };

/** A name in the answer. Object null: it only marks a folder. */
export interface Item {
  readonly place: string;
  readonly object: SourceObject | null;
}

/** What the service says from a place on, in its own order. Complete: nothing is left beyond these. */
export interface Answer {
  readonly from: string;
  readonly items: readonly Item[];
  readonly complete: boolean;
}

export interface Advance {
  /** In byte order, after all that was found before. */
  readonly found: SourceObject[];
  readonly left: Run[];
  /** First classes that were seen to be empty, by where they begin. */
  readonly empty: string[];
}

/** What comes after the key in byte order. First classes that are known to be empty need no look. */
export function runsAfter(
  order: NameOrder,
  after: string,
  prefixLength: number,
  isEmpty: (first: string) => boolean,
): Run[] {
  const runs: Stretch[] = [];
  const place = order.placeOf(after);
  let from: string | null = following(place);
  for (const { block, inFirst } of blocksAround(order, place, prefixLength)) {
    runs.push({ from, to: inFirst ? block.second : block.end });
    if (!inFirst && !isEmpty(block.first)) runs.push({ from: block.first, to: block.second });
    from = block.end;
  }
  return joined([...runs, { from, to: null }]);
}

/** Takes from an answer what comes next in byte order. */
export function advance(
  order: NameOrder,
  prefixLength: number,
  runs: readonly Run[],
  answer: Answer,
): Advance {
  const last = answer.items.at(-1)?.place;
  const known = answer.complete ? null : last === undefined ? answer.from : following(last);
  const found: SourceObject[] = [];
  const left = [...runs];
  const empty: string[] = [];
  for (let run = left[0]; run !== undefined; run = left[0]) {
    if (run.from < answer.from || (known !== null && run.from >= known)) break;
    const within = answer.items.filter(({ place }) => isIn(run, place));
    if (known === null || (run.to !== null && run.to <= known)) {
      left.shift();
      if (within.length === 0) empty.push(run.from);
      found.push(...inByteOrder(within));
      continue;
    }
    const { runs: rest, held } = leave(order, prefixLength, run, within, last!);
    left.splice(0, 1, ...rest);
    found.push(...inByteOrder(within.filter(({ place }) => !held.some((one) => isIn(one, place)))));
    break;
  }
  const end = answer.items.findLast(({ object }) => object !== null && object === found.at(-1));
  if (end !== undefined) empty.push(...emptyAround(order, prefixLength, end.place, answer));
  return { found, left: joined(left), empty };
}

/** Whoever goes on from there will want to know. */
function* emptyAround(
  order: NameOrder,
  prefixLength: number,
  place: string,
  { from, items }: Answer,
): Generator<string> {
  for (const { block, inFirst } of blocksAround(order, place, prefixLength)) {
    const first = { from: block.first, to: block.second };
    if (!inFirst && from <= block.first && !items.some((item) => isIn(first, item.place))) yield block.first;
  }
}

/** The answer ends at `last`, in the middle of a run: what must be held back, and what is then left of the run. */
function leave(order: NameOrder, prefixLength: number, run: Run, within: readonly Item[], last: string) {
  let runs: Stretch[] = [];
  const held: Run[] = [];
  let from: string | null = following(last);
  for (const { block, inFirst } of blocksAround(order, last, prefixLength)) {
    // Not a whole block of this run: its other class has a run of its own, or had one.
    if (run.from > block.first || (run.to !== null && run.to <= block.second)) continue;
    const first = { from: block.first, to: block.second };
    if (inFirst) {
      runs = [{ from: block.second, to: block.end }, first];
      held.push(first);
      from = block.end;
    } else if (within.some(({ place }) => isIn(first, place))) {
      runs.push({ from, to: block.end }, first);
      held.push(first);
      from = block.end;
    }
  }
  return { runs: joined([...runs, { from, to: run.to }]), held };
}

function isIn({ from, to }: Run, place: string): boolean {
  return place >= from && (to === null || place < to);
}

function inByteOrder(items: readonly Item[]): SourceObject[] {
  const objects = items.flatMap(({ object }) => object ?? []);
  return objects.sort((a, b) => (a.key < b.key ? -1 : 1));
}

/** Without empty runs, and with those that touch each other as one: so one answer reaches further. */
function joined(runs: readonly Stretch[]): Run[] {
  const all: Run[] = [];
  for (const { from, to } of runs) {
    const before = all.at(-1);
    if (from === null || (to !== null && from >= to)) continue;
    if (before?.to === from) all.splice(-1, 1, { from: before.from, to });
    else all.push({ from, to });
  }
  return all;
}
