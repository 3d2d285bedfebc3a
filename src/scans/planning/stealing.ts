/** What a thief decides about a shard. Pure: whoever runs it does the looking. */
import type { Key } from '../../base/key.ts';
import type { Range } from '../../base/range.ts';
import { cutsFor, looksForCuts } from './cutting.ts';
import { Explorer } from './explorer.ts';
import { type Hint, hintsFor } from './hint.ts';
import { clip, type Known, withNewer } from './known.ts';
import type { Looking } from './looking.ts';

export interface Victim {
  readonly range: Range;
  readonly cursor: Key;
  readonly reserved: Key;
  /** Keys of the range up to the cursor. */
  readonly listed: number;
  /** What its holder has listed last, if it told. */
  readonly page: Known | null;
  readonly hint: Hint | null;
  /** What it was chosen for. */
  readonly left: number;
}

export interface Terms {
  /** Into so many parts, if it holds enough. */
  readonly ways: number;
  /** Fewer keys are not worth a cut. */
  readonly least: number;
  /** Another shard may have more, if this one turns out to have less than it was chosen for. */
  readonly picky: boolean;
}

export interface Theft {
  /** None: then the hint says how much there is after all. */
  readonly cuts: readonly Key[];
  /** Of each part between the cuts; the first is what its holder keeps. */
  readonly hints: readonly Hint[];
  /** Given up for another shard; the hint says how little it has. */
  readonly passedOver: boolean;
}

/** Shards that turn out to have little, one after the other, before one is taken as it is. */
export const MOST_PASSED_OVER = 4;
const ROUNDS = 1;
const MOST_WAYS = 32;
const MUCH_LESS = 0.8;

/** So that everybody who is idle finds something. */
export function waysFor(idle: number, running: number): number {
  return Math.min(MOST_WAYS, Math.max(2, 1 + Math.ceil(idle / Math.max(1, running))));
}

/** Work that is not worth a split, in seconds: the end of a scan may be later by that. */
export function leastSeconds(elapsedSeconds: number): number {
  return Math.min(5, Math.max(1, 0.003 * elapsedSeconds));
}

/** Fewer keys are not worth a cut, however slow they are; so many while nobody knows how slow. */
const LEAST_KEYS = 20;
const USUAL_LEAST = 300;

/** The keys that are not worth a split. */
export function leastKeys(elapsedSeconds: number, secondsPerKey: number | null): number {
  if (secondsPerKey === null) return USUAL_LEAST;
  return Math.max(LEAST_KEYS, leastSeconds(elapsedSeconds) / secondsPerKey);
}

export function* stealSteps(victim: Victim, { ways, least, picky }: Terms): Looking<Theft> {
  const free = { after: victim.reserved, upTo: victim.range.upTo };
  const explorer = new Explorer(free, knownsOf(victim));
  const isChoosy = picky && victim.hint !== null; // of one that nobody has looked at, nothing was expected
  const isDisappointing = () =>
    isChoosy && explorer.total + busyWith(victim, explorer) < MUCH_LESS * victim.left;
  if (isTooCoarse(explorer, least)) explorer.add(yield [free]);
  if (isDisappointing()) return theft(victim, explorer, [], true);
  const worth = () => Math.floor((2 * explorer.total) / least);
  // With no key known, the first look only tells what keys look like here.
  const first = explorer.knowns.some(({ keys }) => keys.length > 0) ? 0 : -1;
  for (let round = first; round < ROUNDS && (round === first || explorer.total >= least); round++) {
    const looks = looksForCuts(explorer, Math.min(ways, Math.max(2, worth())));
    if (looks.length === 0) break;
    explorer.add(yield looks);
    if (isDisappointing()) return theft(victim, explorer, [], true);
  }
  return theft(victim, explorer, cutsFor(explorer, Math.min(ways, worth())), false);
}

/** One look tells all of it. */
const FEW = 800;

/** Nobody knows the few keys that are left well enough to share them out, and they take long enough to be worth a look. */
function isTooCoarse(explorer: Explorer, least: number): boolean {
  const { range, total } = explorer;
  const isWorth = total + explorer.slackOf(range) >= least && total < FEW && explorer.isKnown(range);
  return isWorth && explorer.widest > least / 2;
}

function theft(victim: Victim, explorer: Explorer, cuts: readonly Key[], passedOver: boolean): Theft {
  const [kept, ...taken] = hintsFor(explorer, cuts);
  const expected = kept!.expected + victim.listed + busyWith(victim, explorer);
  return { cuts, hints: [{ ...kept!, expected }, ...taken], passedOver };
}

/** Keys that the holder has begun, as far as it told what it lists: of those not passed, what is not free. */
function busyWith(victim: Victim, explorer: Explorer): number {
  const ahead = listedAhead(victim);
  const told = ahead && clip(ahead, victim.range);
  if (!told) return 0;
  const free = told.upTo === null ? explorer.total : explorer.countUpTo(told.upTo);
  return Math.max(0, told.count - free);
}

/** What the holder has listed behind its cursor. Of the first page of a range, all before the cursor has been counted. */
function listedAhead({ page, cursor, listed, range }: Victim): Known | null {
  const rest = page && clip(page, { after: cursor, upTo: page.upTo });
  if (!rest || page.after !== range.after) return rest;
  const off = page.count - listed - rest.count;
  return { ...rest, count: Math.max(0, rest.count + off), places: rest.places.map((place) => place + off) };
}

/** What others have left behind, what the holder has passed, and what it has listed ahead. */
function knownsOf(victim: Victim): Known[] {
  const { range, cursor, listed, hint } = victim;
  const rest = listedAhead(victim);
  const passed: Known = {
    after: range.after,
    upTo: rest?.upTo === undefined ? cursor : rest.upTo,
    count: listed + (rest?.count ?? 0),
    bytes: 0,
    keys: rest?.keys ?? [],
    places: rest?.places.map((place) => place + listed) ?? [],
  };
  return passed.upTo === range.after ? [...(hint?.knowns ?? [])] : withNewer(hint?.knowns ?? [], passed);
}

/** All who are idle together ask the database about so often in a millisecond. */
const ASKS_PER_MS = 1;

/** Before a thief that found nothing looks again: the sooner, the fewer are idle. */
export function pauseMs(failures: number, idle: number): number {
  const longest = Math.min(1000, Math.max(50, idle / ASKS_PER_MS));
  return Math.min(longest, 25 * 2 ** Math.min(failures, 10));
}

/** Before anybody looks again at a shard that could not be split. */
export function backOffMs(failures: number): number {
  return Math.min(8000, 250 * 2 ** Math.min(failures, 10));
}
