import type { Loser } from '../../detection/spans.ts';
import { type Contests, type Levels, type Losers, levelOf } from '../levels.ts';

const LEVELS = 101;

/** Counts the values of one object by detector and level. One addition a value: there may be millions. */
export class LevelTally {
  readonly #ids: readonly string[];
  readonly #counts: (Float64Array | undefined)[] = [];
  readonly #contests = new Map<number, Set<number>>(); // winner and level → losers and their levels

  /** `ids`: of the scanner's detectors. */
  constructor(ids: readonly string[]) {
    this.#ids = ids;
  }

  add(detector: number, level: number, contested: readonly Loser[] | null): void {
    const counts = this.#counts[detector] ?? new Float64Array(LEVELS);
    this.#counts[detector] = counts;
    counts[level]!++;
    if (contested !== null) this.#addContest(placeOf(detector, level), contested);
  }

  get levels(): Levels {
    const levels: Record<string, Record<string, number>> = {};
    this.#counts.forEach((counts, detector) => {
      if (counts) levels[this.#ids[detector]!] = notZero(counts);
    });
    return levels;
  }

  get contests(): Contests {
    const contests: Record<string, Record<string, Losers>> = {};
    for (const [place, losers] of this.#contests) {
      const winner = this.#idAt(place);
      contests[winner] ??= {};
      contests[winner][place % LEVELS] = this.#losersOf(losers);
    }
    return contests;
  }

  reset(): void {
    this.#counts.length = 0;
    this.#contests.clear();
  }

  #addContest(place: number, contested: readonly Loser[]): void {
    const losers = this.#contests.get(place) ?? new Set();
    this.#contests.set(place, losers);
    for (const { detector, confidence } of contested) losers.add(placeOf(detector, levelOf(confidence)));
  }

  #losersOf(places: ReadonlySet<number>): Losers {
    const losers: Record<string, number[]> = {};
    for (const place of [...places].sort((a, b) => a - b)) {
      const loser = this.#idAt(place);
      losers[loser] ??= [];
      losers[loser].push(place % LEVELS);
    }
    return losers;
  }

  #idAt(place: number): string {
    return this.#ids[Math.floor(place / LEVELS)]!;
  }
}

/** Detector and level as one number. A level below nothing, which context can make, is nothing. */
function placeOf(detector: number, level: number): number {
  return detector * LEVELS + Math.max(0, level);
}

function notZero(counts: Float64Array): Record<string, number> {
  const found: Record<string, number> = {};
  counts.forEach((count, level) => {
    if (count > 0) found[level] = count;
  });
  return found;
}
