import type { OverlapLoser } from '../../detection/spans.ts';
import {
  type ConfidenceHistogram,
  confidencePercent,
  type OverlapLosers,
  type Overlaps,
} from '../results/confidence-histogram.ts';

const BUCKETS = 101;

/** Counts the values of one object by detector and level. One addition a value: there may be millions. */
export class HistogramBuilder {
  readonly #ids: readonly string[];
  readonly #counts: (Float64Array | undefined)[] = [];
  readonly #overlaps = new Map<number, Set<number>>(); // winner and level → losers and their levels

  /** `ids`: of the scanner's detectors. */
  constructor(ids: readonly string[]) {
    this.#ids = ids;
  }

  add(detector: number, level: number, contested: readonly OverlapLoser[] | null): void {
    const counts = this.#counts[detector] ?? new Float64Array(BUCKETS);
    this.#counts[detector] = counts;
    counts[level]!++;
    if (contested !== null) this.#addOverlap(bucketOf(detector, level), contested);
  }

  get levels(): ConfidenceHistogram {
    const levels: Record<string, Record<string, number>> = {};
    this.#counts.forEach((counts, detector) => {
      if (counts) levels[this.#ids[detector]!] = nonZero(counts);
    });
    return levels;
  }

  get contests(): Overlaps {
    const contests: Record<string, Record<string, OverlapLosers>> = {};
    for (const [place, losers] of this.#overlaps) {
      const winner = this.#idAt(place);
      contests[winner] ??= {};
      contests[winner][place % BUCKETS] = this.#losersOf(losers);
    }
    return contests;
  }

  reset(): void {
    this.#counts.length = 0;
    this.#overlaps.clear();
  }

  #addOverlap(place: number, contested: readonly OverlapLoser[]): void {
    const losers = this.#overlaps.get(place) ?? new Set();
    this.#overlaps.set(place, losers);
    for (const { detector, confidence } of contested)
      losers.add(bucketOf(detector, confidencePercent(confidence)));
  }

  #losersOf(places: ReadonlySet<number>): OverlapLosers {
    const losers: Record<string, number[]> = {};
    for (const place of [...places].sort((a, b) => a - b)) {
      const loser = this.#idAt(place);
      losers[loser] ??= [];
      losers[loser].push(place % BUCKETS);
    }
    return losers;
  }

  #idAt(place: number): string {
    return this.#ids[Math.floor(place / BUCKETS)]!;
  }
}

/** Detector and level as one number. A level below nothing, which context can make, is nothing. */
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
