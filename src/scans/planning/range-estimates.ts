/** Divides a range into parts: counted ones, and estimates for the gaps between them. */
import type { Key } from '../../base/key.ts';
import type { Range } from '../../base/range.ts';
import type { CountedRange } from './counted-range.ts';
import { type EstimatedRange, MAX_COUNT } from './estimated-range.ts';
import { fillGapEstimates } from './gap-estimates.ts';
import { commonFolder, folderBounds } from './key-space/folders.ts';
import type { KeySpace } from './key-space/key-space.ts';

/** `knowns` in order, inside the range, and not overlapping. */
export function estimateRanges(
  range: Range,
  counted: readonly CountedRange[],
  space: KeySpace,
): EstimatedRange[] {
  const parts: EstimatedRange[] = [];
  let at: Key = range.after;
  let last: CountedRange | null = null;
  for (const one of counted) {
    if (one.after > at) parts.push(...estimateGap({ after: at, upTo: one.after }, last, one, space));
    parts.push(countedRange(one, space));
    if (one.upTo === null) return fillGapEstimates(parts, space);
    at = one.upTo;
    last = one;
  }
  if (range.upTo === null || at < range.upTo)
    parts.push(...splitAtFolders({ after: at, upTo: range.upTo }, space));
  return fillGapEstimates(parts, space);
}

function countedRange(counted: CountedRange, space: KeySpace): EstimatedRange {
  const { after, upTo, count } = counted;
  const measure = space.measure(after, upTo);
  return { after, upTo, counted, folder: '', count, maxCount: count, measure, reach: null };
}

/** Densities that differ by at most this factor count as equal and are interpolated. */
const MAX_DENSITY_RATIO = 8;

function estimateGap(
  gap: Range,
  left: CountedRange | null,
  right: CountedRange,
  space: KeySpace,
): EstimatedRange[] {
  const folder = commonFolder(gap.after, gap.upTo!);
  const [a, b] = [left && densityOf(left, folder, space), densityOf(right, folder, space)];
  if (!a || !b || Math.max(a, b) > MAX_DENSITY_RATIO * Math.min(a, b)) return splitAtFolders(gap, space);
  const measure = space.measure(gap.after, gap.upTo);
  const count = Math.min(MAX_COUNT, Math.sqrt(a * b) * measure);
  const maxCount = Math.min(MAX_COUNT, Math.max(a, b) * measure);
  return [{ ...gap, counted: null, folder: '', count, maxCount, measure, reach: null }];
}

/** With this many keys before the first sample the interval is more than a page, and used as a whole. */
const MIN_KEYS_BEFORE_SAMPLE = 500;
/** Fewer keys are no evidence. */
const MIN_KEYS = 50;

/**
 * Keys per measure, without the empty interval and the outliers at the start of a page. Null when there are
 * too few, or when all are in one subfolder: then they are evidence for that folder only.
 */
function densityOf(counted: CountedRange, folder: string, space: KeySpace): number | null {
  const { after, upTo, count, keys, places } = counted;
  if (count < MIN_KEYS || upTo === null) return null;
  if (keys.length === 0 || places[0]! > MIN_KEYS_BEFORE_SAMPLE) {
    return folder.startsWith(commonFolder(after, upTo)) ? count / space.measure(after, upTo) : null;
  }
  const last = keys.at(-1)!;
  if (keys.length < 4 || !folder.startsWith(commonFolder(keys[1]!, last))) return null;
  return (places.at(-1)! - places[1]!) / space.measure(keys[1]!, last);
}

/** Splits a gap at the bounds of folders. */
function splitAtFolders(gap: Range, space: KeySpace): EstimatedRange[] {
  const parts: EstimatedRange[] = [];
  let after = gap.after;
  for (const { upTo, folder } of folderBounds(gap)) {
    if (upTo !== null && upTo <= after) continue;
    const measure = space.measure(after, upTo);
    parts.push({
      after,
      upTo,
      counted: null,
      folder,
      count: Number.NaN,
      maxCount: Number.NaN,
      measure,
      reach: null,
    });
    if (upTo !== null) after = upTo;
  }
  return parts;
}
