/**
 * Estimates the keys of a range: counted ranges, estimates for the gaps, and where to probe next. Split
 * points are chosen in split-points.ts.
 */
import type { Key } from '../../base/key.ts';
import type { Range } from '../../base/range.ts';
import {
  type CountedRange,
  clip,
  countErrorAt,
  maxKey,
  maxSampleGap,
  mergeEmpty,
  minKey,
  replaceOverlaps,
} from './counted-range.ts';
import type { EstimatedRange } from './estimated-range.ts';
import { KeySpace } from './key-space/key-space.ts';
import { estimateRanges } from './range-estimates.ts';

export class RangeEstimator {
  readonly range: Range;
  readonly #space = new KeySpace();
  #countedRanges: readonly CountedRange[] = [];
  #ranges: readonly EstimatedRange[] | null = null;

  /** Counted ranges may be outside the range: there they are evidence for the density. */
  constructor(range: Range, countedRanges: readonly CountedRange[] = []) {
    this.range = range;
    this.add(countedRanges);
  }

  get countedRanges(): readonly CountedRange[] {
    return this.#countedRanges;
  }

  /** Where ranges overlap, the newer one is used. */
  add(counted: readonly CountedRange[]): void {
    for (const { after, upTo, keys } of counted) {
      this.#space.learn(keys);
      this.#space.learnEmpty(after, keys[0] ?? upTo);
      if (keys.length > 0 && upTo !== keys.at(-1)) this.#space.learnEmpty(keys.at(-1)!, upTo);
    }
    this.#countedRanges = mergeEmpty(
      counted.reduce<readonly CountedRange[]>(replaceOverlaps, this.#countedRanges),
    );
    this.#ranges = null;
  }

  /** The range divided into counted and estimated parts. */
  get ranges(): readonly EstimatedRange[] {
    this.#ranges ??= estimateRanges(this.#extent(), this.#countedRanges, this.#space).flatMap((part) =>
      this.#inside(part),
    );
    return this.#ranges;
  }

  /** The range with all adjacent counted ranges. */
  #extent(): Range {
    const { after, upTo } = this.range;
    const last = this.#countedRanges.at(-1)?.upTo;
    const first = this.#countedRanges[0]?.after ?? after;
    if (upTo === null || last === null) return { after: minKey(first, after)!, upTo: null };
    return { after: minKey(first, after)!, upTo: last === undefined ? upTo : maxKey(last, upTo) };
  }

  #inside(part: EstimatedRange): EstimatedRange[] {
    const after = maxKey(part.after, this.range.after);
    const upTo = minKey(part.upTo, this.range.upTo);
    if (after === part.after && upTo === part.upTo) return [part];
    if (upTo !== null && upTo <= after) return [];
    if (part.counted !== null) {
      const counted = clip(part.counted, this.range)!;
      return [{ ...part, ...counted, counted, maxCount: counted.count }];
    }
    const measure = this.#space.measure(after, upTo);
    const share = Math.min(1, measure / part.measure);
    return [{ ...part, after, upTo, measure, count: part.count * share, maxCount: part.maxCount * share }];
  }

  get total(): number {
    return this.ranges.reduce((sum, part) => sum + part.count, 0);
  }

  /** Maximum error of the number of keys in a counted range. */
  countErrorOf({ after, upTo }: Range): number {
    const at = (bound: Key) =>
      this.#countedRanges.reduce((sum, counted) => sum + countErrorAt(counted, bound), 0);
    return at(after) + (upTo === null ? 0 : at(upTo));
  }

  /** The maximum number of keys between two samples. */
  get maxSampleGap(): number {
    return Math.max(0, ...this.ranges.map(({ counted }) => (counted === null ? 0 : maxSampleGap(counted))));
  }

  /** Whether all of it is counted. */
  isCounted({ after, upTo }: Range): boolean {
    const isBeside = (part: EstimatedRange) =>
      (part.upTo !== null && part.upTo <= after) || (upTo !== null && part.after >= upTo);
    return this.ranges.every((part) => part.counted !== null || isBeside(part));
  }

  /** Gaps between counted ranges, with their estimates. */
  gaps(): { after: Key; count: number }[] {
    const gaps: { after: Key; count: number }[] = [];
    let open = false;
    for (const { counted, after, count } of this.ranges) {
      if (counted === null && open) gaps.at(-1)!.count += count;
      if (counted === null && !open) gaps.push({ after, count });
      open = counted === null;
    }
    return gaps;
  }

  /** The estimated number of keys of the range up to the bound. */
  countUpTo(bound: Key): number {
    let sum = 0;
    for (const part of this.ranges) {
      if (part.after >= bound) break;
      if (part.upTo !== null && part.upTo <= bound) sum += part.count;
      else if (part.counted !== null)
        sum += clip(part.counted, { after: part.after, upTo: bound })?.count ?? 0;
      else sum += part.count * Math.min(1, this.#space.measure(part.after, bound) / part.measure);
    }
    return sum;
  }

  /** Ranges to probe next, distributed by estimated size and uncertainty. */
  nextProbes(max: number): Range[] {
    const given = distributeProbes(this.ranges.map(probeScore), max);
    return this.probesAt(
      this.ranges.flatMap((part, i) =>
        Array.from({ length: given[i]! }, (_, k) =>
          this.keyIn(part, stepShare(part, (k + 1) / (given[i]! + 1))),
        ),
      ),
    );
  }

  /** A key at this share of a part; its start where there is none inside. */
  keyIn(part: EstimatedRange, share: number): Key {
    return this.#space.between(part.after, part.upTo, Math.min(0.999, Math.max(0.001, share))) ?? part.after;
  }

  /** Probes from each of the keys up to the next one or to a counted range. */
  probesAt(keys: readonly Key[]): Range[] {
    const sorted = [...new Set(keys)].sort();
    return sorted.map((after, i) => {
      const counted = this.#countedRanges.find((one) => one.after >= after)?.after ?? null;
      return { after, upTo: minKey(minKey(counted, this.range.upTo), sorted[i + 1] ?? null) };
    });
  }
}

/** The extent of its keys is unknown and possibly large. */
export function isOpenEnded({ reach }: EstimatedRange): boolean {
  return reach !== null && Math.abs(reach) < 0.25;
}

/**
 * Where the extent is unknown, the steps grow exponentially, starting with the length of the counted
 * neighbour.
 */
export function stepShare(part: EstimatedRange, share: number): number {
  if (!isOpenEnded(part)) return share;
  const near = Math.abs(part.reach!);
  return part.reach! > 0 ? near ** (1 - share) : 1 - near ** share;
}

function probeScore({ counted, count, maxCount }: EstimatedRange): number {
  if (counted !== null || count <= 0) return 0;
  return count * Math.min(30, Math.sqrt(maxCount / count));
}

/** Distributes `max` probes: one at a time goes to the part with the highest score per probe. */
function distributeProbes(scores: readonly number[], max: number): number[] {
  const given = scores.map(() => 0);
  for (let n = 0; n < max; n++) {
    let best = 0;
    for (const [i, score] of scores.entries()) {
      if (score / (given[i]! + 1) > scores[best]! / (given[best]! + 1)) best = i;
    }
    if (!(scores[best]! > 0)) break;
    given[best]!++;
  }
  return given;
}
