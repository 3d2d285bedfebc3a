/** A range laid out in parts: those that are known, and guesses at what lies between them. */
import type { Key } from '../../base/key.ts';
import type { Range } from '../../base/range.ts';
import { commonFolder, folderBounds } from './folders.ts';
import { fillGuesses } from './guess.ts';
import type { KeySpace } from './key-space.ts';
import type { Known } from './known.ts';
import { type Part, TOO_MANY } from './part.ts';

/** `knowns` in order, inside the range, and not overlapping. */
export function layOut(range: Range, knowns: readonly Known[], space: KeySpace): Part[] {
  const parts: Part[] = [];
  let at: Key = range.after;
  let last: Known | null = null;
  for (const known of knowns) {
    if (known.after > at) parts.push(...gapBetween({ after: at, upTo: known.after }, last, known, space));
    parts.push(knownPart(known, space));
    if (known.upTo === null) return fillGuesses(parts, space);
    at = known.upTo;
    last = known;
  }
  if (range.upTo === null || at < range.upTo) parts.push(...pieces({ after: at, upTo: range.upTo }, space));
  return fillGuesses(parts, space);
}

function knownPart(known: Known, space: KeySpace): Part {
  const { after, upTo, count } = known;
  const measure = space.measure(after, upTo);
  return { after, upTo, known, folder: '', count, most: count, measure, reach: null };
}

/** Densities that differ by no more than this are the same one, and it holds between them. */
const ALIKE = 8;

function gapBetween(gap: Range, left: Known | null, right: Known, space: KeySpace): Part[] {
  const folder = commonFolder(gap.after, gap.upTo!);
  const [a, b] = [left && densityOf(left, folder, space), densityOf(right, folder, space)];
  if (!a || !b || Math.max(a, b) > ALIKE * Math.min(a, b)) return pieces(gap, space);
  const measure = space.measure(gap.after, gap.upTo);
  const count = Math.min(TOO_MANY, Math.sqrt(a * b) * measure);
  const most = Math.min(TOO_MANY, Math.max(a, b) * measure);
  return [{ ...gap, known: null, folder: '', count, most, measure, reach: null }];
}

/** So many keys before the first sample: the interval is more than a page, and worth more as a whole. */
const MUCH = 500;
/** Fewer tell nothing. */
const LEAST = 50;

/**
 * Keys to a measure, without the emptiness and the stragglers at the beginning of a page. Null when there are too few to tell, or
 * when they all lie in a folder inside this one: then they tell about that, not about this.
 */
function densityOf(known: Known, folder: string, space: KeySpace): number | null {
  const { after, upTo, count, keys, places } = known;
  if (count < LEAST || upTo === null) return null;
  if (keys.length === 0 || places[0]! > MUCH) {
    return folder.startsWith(commonFolder(after, upTo)) ? count / space.measure(after, upTo) : null;
  }
  const last = keys.at(-1)!;
  if (keys.length < 4 || !folder.startsWith(commonFolder(keys[1]!, last))) return null;
  return (places.at(-1)! - places[1]!) / space.measure(keys[1]!, last);
}

/** A gap, cut where folders begin and end. */
function pieces(gap: Range, space: KeySpace): Part[] {
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
