/** A range laid out in parts, known ones and guesses at what lies between them. */
import type { Key } from '../../base/key.ts';
import type { Range } from '../../base/range.ts';
import { commonFolder, endOf, folderBounds } from './folders.ts';
import type { KeySpace } from './key-space.ts';
import type { Known } from './known.ts';

export interface Part extends Range {
  readonly known: Known | null;
  /** The folder that it belongs to; what is known of the same folder tells about it. */
  readonly folder: string;
  count: number;
  most: number;
  measure: number;
  /** What is known beside it, as a share of its own measure, if that is on one side only: how far it goes on is open. */
  reach: number | null;
}

/** `knowns` in order, inside the range, and not overlapping. */
export function layOut(range: Range, knowns: readonly Known[], space: KeySpace): Part[] {
  const parts: Part[] = [];
  let at: Key = range.after;
  let last: Known | null = null;
  for (const known of knowns) {
    if (known.after > at) parts.push(...between({ after: at, upTo: known.after }, last, known, space));
    parts.push(partOf(known, space));
    if (known.upTo === null) return fill(parts, space);
    at = known.upTo;
    last = known;
  }
  if (range.upTo === null || at < range.upTo) parts.push(...guesses({ after: at, upTo: range.upTo }, space));
  return fill(parts, space);
}

/** Densities that differ by no more than this are the same one, and it holds between them. */
const ALIKE = 5;

function between(gap: Range, left: Known | null, right: Known, space: KeySpace): Part[] {
  const folder = commonFolder(gap.after, gap.upTo!);
  const [a, b] = [left && denseRate(left, folder, space), denseRate(right, folder, space)];
  if (!a || !b || Math.max(a, b) > ALIKE * Math.min(a, b)) return guesses(gap, space);
  const measure = space.measure(gap.after, gap.upTo);
  const count = Math.min(MOST, Math.sqrt(a * b) * measure);
  return [
    {
      ...gap,
      known: null,
      folder: '',
      count,
      most: Math.min(MOST, Math.max(a, b) * measure),
      measure,
      reach: null,
    },
  ];
}

/** So many keys before the first sample: the interval is more than a page, and worth more as a whole. */
const MUCH = 500;

/**
 * Keys to a measure, without the emptiness and the stragglers at its beginning. Null when there are too few to tell, or when they
 * all lie in a folder inside this one: then they tell about that, not about this.
 */
function denseRate(
  { after, upTo, count, keys, places }: Known,
  folder: string,
  space: KeySpace,
): number | null {
  if (count < 50 || upTo === null) return null;
  if (keys.length === 0 || places[0]! > MUCH) {
    return folder.startsWith(commonFolder(after, upTo)) ? count / space.measure(after, upTo) : null;
  }
  if (keys.length < 4 || !folder.startsWith(commonFolder(keys[1]!, keys.at(-1)!))) return null;
  return (places.at(-1)! - places[1]!) / space.measure(keys[1]!, keys.at(-1)!);
}

function partOf(known: Known, space: KeySpace): Part {
  const { after, upTo, count } = known;
  return {
    after,
    upTo,
    known,
    folder: '',
    count,
    most: count,
    measure: space.measure(after, upTo),
    reach: null,
  };
}

/** The gap, cut where folders begin and end. */
function guesses(gap: Range, space: KeySpace): Part[] {
  const parts: Part[] = [];
  let after = gap.after;
  for (const { upTo, folder } of folderBounds(gap)) {
    if (upTo !== null && upTo <= after) continue;
    const measure = space.measure(after, upTo);
    parts.push({
      after,
      upTo,
      known: null,
      folder,
      count: Number.NaN,
      most: Number.NaN,
      measure,
      reach: null,
    });
    if (upTo !== null) after = upTo;
  }
  return parts;
}

interface Evidence {
  count: number;
  measure: number;
  /** Without the emptiness at its far end. */
  dense: number;
  /** All of it lies in one folder inside this one. */
  lonely: boolean;
}

/** Guesses from the deepest folders upward; in each first between things that are known, then beyond them. */
function fill(parts: Part[], space: KeySpace): Part[] {
  const open = parts.map((_, i) => i).filter((i) => Number.isNaN(parts[i]!.count));
  const levels = Map.groupBy(open, (i) => parts[i]!.folder.length);
  for (const length of [...levels.keys()].sort((a, b) => b - a)) {
    const beyond: number[] = [];
    for (const i of levels.get(length)!) {
      const sides = [evidence(parts, i, -1, space, false), evidence(parts, i, 1, space, false)];
      if (sides.every((side) => side !== null && side.count > FEW))
        guessBetween(parts[i]!, sides as Evidence[]);
      else beyond.push(i);
    }
    for (const i of beyond) {
      guessBeyond(parts[i]!, evidence(parts, i, -1, space, true), evidence(parts, i, 1, space, true), space);
    }
  }
  return parts;
}

/** So few keys say nothing about how dense others are. */
const FEW = 20;
const DAMPING = 0.5;
/** Where so many folders follow one another, a single one that is known stands for many. */
const MANY = 2;
const MOST = 1e12;

/** As dense as the two sides in the mean. */
function guessBetween(part: Part, sides: Evidence[]): void {
  const [left, right] = sides.map(rate);
  part.count = Math.min(MOST, Math.sqrt(left! * right!) * part.measure);
  part.most = Math.min(MOST, Math.max(left!, right!) * part.measure);
}

/** Nobody knows how far it goes on: anything between nothing and the whole part, each order of magnitude alike. */
function guessBeyond(part: Part, left: Evidence | null, right: Evidence | null, space: KeySpace): void {
  const side =
    left !== null && left.count > FEW ? left : right !== null && right.count > FEW ? right : (left ?? right);
  part.most = 0;
  part.count = 0;
  if (side === null || side.count === 0) return;
  part.most = Math.min(MOST, (side.count / side.dense) * part.measure);
  part.reach = (side === left ? 1 : -1) * (side.dense / part.measure);
  const most = part.most / side.count;
  const usual = most > 4 ? most ** DAMPING : most / 2;
  const followers = side.lonely ? space.followers(part.folder.split('/').length - 1) : MANY;
  part.count = side.count * (followers < MANY ? Math.min(usual, Math.max(0.1, followers)) : usual);
}

function rate(evidence: Evidence | null): number {
  return evidence === null || evidence.measure <= 0 ? 0 : evidence.count / evidence.measure;
}

/** The run of parts beside it in the same folder about which something is known or was guessed already. */
function evidence(
  parts: readonly Part[],
  at: number,
  step: 1 | -1,
  space: KeySpace,
  all: boolean,
): Evidence | null {
  const { folder } = parts[at]!;
  const end = folder === '' ? null : endOf(folder);
  const found = { count: 0, measure: 0, dense: 0, lonely: false };
  let far: Key | null = null;
  let any = false;
  for (let i = at + step; i >= 0 && i < parts.length; i += step) {
    const part = parts[i]!;
    if (Number.isNaN(part.count) || (part.known === null && !all && part.folder.length <= folder.length))
      break;
    // Only what lies in the folder counts, and it may begin or end in the middle of a known part.
    const after = part.after > folder ? part.after : (folder as Key);
    const upTo = end === null ? part.upTo : part.upTo === null || part.upTo > end ? (end as Key) : part.upTo;
    if (upTo !== null && upTo <= after) break;
    const whole = after === part.after && upTo === part.upTo;
    const share = whole ? 1 : shareInside(part, after, upTo, space);
    found.count += part.count * share;
    found.measure += whole ? part.measure : space.measure(after, upTo);
    any = true;
    if (part.count > 0)
      far = step < 0 ? (part.known?.keys.find((key) => key > after) ?? after) : (upTo ?? far);
    if (part.count > 0)
      found.dense = Math.max(found.measure - emptiness(part, after, space), found.measure * 1e-9);
    if (!whole) break;
  }
  const near = step < 0 ? parts[at]!.after : parts[at]!.upTo;
  if (far !== null && near !== null)
    found.lonely = commonFolder(far, step < 0 ? justBefore(near) : near).length > folder.length;
  return any ? found : null;
}

/** A key of the folder that ends there, if that is what it is. */
function justBefore(bound: Key): Key {
  return bound.endsWith('0') ? (`${bound.slice(0, -1)}/` as Key) : bound;
}

/** How much of a known part lies before its first key. */
function emptiness({ known }: Part, after: Key, space: KeySpace): number {
  const first = known?.keys.find((key) => key > after);
  return first === undefined || first === known?.upTo ? 0 : space.measure(after, first);
}

function shareInside(part: Part, after: Key, upTo: Key | null, space: KeySpace): number {
  const { known } = part;
  if (known === null || known.keys.length === 0) return space.measure(after, upTo) / part.measure;
  const inside = known.keys.filter((key) => key > after && (upTo === null || key <= upTo)).length;
  return inside / known.keys.length;
}
