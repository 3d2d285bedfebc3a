import type { OverlapLoser } from '../../detection/spans.ts';
import {
  type ConfidenceHistogram,
  confidencePercent,
  type Mark,
  markedKey,
  type OverlapLosers,
  type Overlaps,
} from '../results/confidence-histogram.ts';

const BUCKETS = 101;

/**
 * Counts the values of one object by detector and level. One addition per value, because there may be
 * millions.
 */
export class HistogramBuilder {
  readonly #ids: readonly string[];
  readonly #counts: (Float64Array | undefined)[] = [];
  readonly #marked = new Map<Mark, (Float64Array | undefined)[]>();
  readonly #overlaps = new Map<number, Set<number>>(); // winner and level → losers and their levels

  /** `ids`: the detectors of the scanner. */
  constructor(ids: readonly string[]) {
    this.#ids = ids;
  }

  add(
    detector: number,
    level: number,
    contested: readonly OverlapLoser[] | null,
    mark: Mark | null = null,
  ): void {
    count(this.#counts, detector, level);
    if (mark !== null) this.#addMarked(mark, detector, level);
    if (contested !== null) this.#addOverlap(bucketOf(detector, level), contested);
  }

  get confidenceHistogram(): ConfidenceHistogram {
    const levels: Record<string, Record<string, number>> = {};
    this.#counts.forEach((counts, detector) => {
      if (counts) levels[this.#ids[detector]!] = nonZero(counts);
    });
    for (const [mark, marked] of this.#marked)
      marked.forEach((counts, detector) => {
        if (counts) levels[markedKey(this.#ids[detector]!, mark)] = nonZero(counts);
      });
    return levels;
  }

  get overlapCounts(): Overlaps {
    const contests: Record<string, Record<string, OverlapLosers>> = {};
    for (const [bucket, losers] of this.#overlaps) {
      const winner = this.#idAt(bucket);
      contests[winner] ??= {};
      contests[winner][bucket % BUCKETS] = this.#losersOf(losers);
    }
    return contests;
  }

  reset(): void {
    this.#counts.length = 0;
    this.#marked.clear();
    this.#overlaps.clear();
  }

  #addMarked(mark: Mark, detector: number, level: number): void {
    const marked = this.#marked.get(mark) ?? [];
    this.#marked.set(mark, marked);
    count(marked, detector, level);
  }

  #addOverlap(bucket: number, contested: readonly OverlapLoser[]): void {
    const losers = this.#overlaps.get(bucket) ?? new Set();
    this.#overlaps.set(bucket, losers);
    for (const { detector, confidence } of contested)
      losers.add(bucketOf(detector, confidencePercent(confidence)));
  }

  #losersOf(buckets: ReadonlySet<number>): OverlapLosers {
    const losers: Record<string, number[]> = {};
    for (const bucket of [...buckets].sort((a, b) => a - b)) {
      const loser = this.#idAt(bucket);
      losers[loser] ??= [];
      losers[loser].push(bucket % BUCKETS);
    }
    return losers;
  }

  #idAt(bucket: number): string {
    return this.#ids[Math.floor(bucket / BUCKETS)]!;
  }
}

function count(byDetector: (Float64Array | undefined)[], detector: number, level: number): void {
  const counts = byDetector[detector] ?? new Float64Array(BUCKETS);
  byDetector[detector] = counts;
  counts[level]!++;
}

/** Encodes detector and level as one number. Negative levels, which context can cause, become 0. */
function bucketOf(detector: number, level: number): number {
  return detector * BUCKETS + Math.max(0, level);
}

function nonZero(counts: Float64Array): Record<string, number> {
  const found: Record<string, number> = {};
  counts.forEach((count, level) => {
    if (count > 0) found[level] = count;
  });
  return found;
}
