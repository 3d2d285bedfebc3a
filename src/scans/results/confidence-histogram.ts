/**
 * The confidence of all values of an object: by detector, how many of them have each level, in hundredths.
 * Includes those below the threshold and those of which no finding is kept, so that other thresholds can be
 * evaluated without reading again.
 */
import type { TypeCount } from '../../governance/score.ts';

/** By detector and hundredths. */
export type ConfidenceHistogram = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** Why values weigh less: the subset of a detector's levels that has the mark is stored under a key of its own. */
export const MARKS = ['authorship', 'example'] as const;
export type Mark = (typeof MARKS)[number];

/** No id of a detector has a colon. */
export function markedKey(detector: string, mark: Mark): string {
  return `${detector}:${mark}`;
}

/** Detectors whose matches of the same bytes lost, with their levels in hundredths. */
export type OverlapLosers = Readonly<Record<string, readonly number[]>>;

/** By the winning detector and its level. */
export type Overlaps = Readonly<Record<string, Readonly<Record<string, OverlapLosers>>>>;

export function confidencePercent(confidence: number): number {
  return Math.round(confidence * 100);
}

/**
 * Decided by hundredths, so that the stored levels are sufficient to decide again. 0.55 is parsed as 55 /
 * 100.
 */
export function meetsThreshold(level: number, threshold: number): boolean {
  return level / 100 >= threshold;
}

/** The counts under these thresholds, sorted by name. `thresholdOf` returns null for a disabled detector. */
export function countTypesAbove(
  levels: ConfidenceHistogram,
  thresholdOf: (detector: string) => number | null,
): TypeCount[] {
  const types: TypeCount[] = [];
  for (const detector of Object.keys(levels).sort()) {
    const threshold = detector.includes(':') ? null : thresholdOf(detector);
    if (threshold === null) continue;
    const counted = levelsAbove(levels[detector]!, threshold);
    if (counted.length === 0) continue;
    const marks = MARKS.map((mark) => {
      const marked = levelsAbove(levels[markedKey(detector, mark)] ?? {}, threshold);
      return [mark, valuesOf(marked)] as const;
    });
    types.push({
      detector,
      count: valuesOf(counted),
      confidence: Math.max(...counted.map(([level]) => Number(level))) / 100,
      ...Object.fromEntries(marks.filter(([, count]) => count > 0)),
    });
  }
  return types;
}

type Levels = readonly (readonly [level: string, values: number])[];

function levelsAbove(levels: Readonly<Record<string, number>>, threshold: number): Levels {
  return Object.entries(levels).filter(([level]) => meetsThreshold(Number(level), threshold));
}

function valuesOf(levels: Levels): number {
  return levels.reduce((sum, [, values]) => sum + values, 0);
}

/** Adds the levels of two windows of an object. */
export function mergeHistograms(left: ConfidenceHistogram, right: ConfidenceHistogram): ConfidenceHistogram {
  return merge(left, right, (a, b) => merge(a, b, (x, y) => x + y));
}

export function mergeOverlaps(left: Overlaps, right: Overlaps): Overlaps {
  return merge(left, right, (a, b) => merge(a, b, (x, y) => merge(x, y, unionOf)));
}

function unionOf(left: readonly number[], right: readonly number[]): number[] {
  return [...new Set([...left, ...right])].sort((a, b) => a - b);
}

function merge<T>(
  left: Readonly<Record<string, T>>,
  right: Readonly<Record<string, T>>,
  both: (a: T, b: T) => T,
): Record<string, T> {
  const sum = { ...left };
  for (const [name, value] of Object.entries(right))
    sum[name] = sum[name] === undefined ? value : both(sum[name], value);
  return sum;
}
