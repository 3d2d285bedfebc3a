/**
 * How sure all values of an object are: by detector, how many of them have so many hundredths of confidence. Also those
 * below the threshold and those of which no finding is kept, so that other thresholds can be tried without reading again.
 */
import type { TypeCount } from '../../governance/score.ts';

/** By detector and hundredths. */
export type ConfidenceHistogram = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** Who claimed the same bytes and lost, with how many hundredths. */
export type OverlapLosers = Readonly<Record<string, readonly number[]>>;

/** By the detector that won and its hundredths. */
export type Overlaps = Readonly<Record<string, Readonly<Record<string, OverlapLosers>>>>;

export function confidencePercent(confidence: number): number {
  return Math.round(confidence * 100);
}

/** Decided on hundredths: what is written down must be all there is to know. 55 / 100 is what 0.55 is read as. */
export function meetsThreshold(level: number, threshold: number): boolean {
  return level / 100 >= threshold;
}

/** What counts under these thresholds. `thresholdOf`: null for a detector that is off. In order of names. */
export function countTypesAbove(
  levels: ConfidenceHistogram,
  thresholdOf: (detector: string) => number | null,
): TypeCount[] {
  const types: TypeCount[] = [];
  for (const detector of Object.keys(levels).sort()) {
    const threshold = thresholdOf(detector);
    const counted = Object.entries(levels[detector]!).filter(
      ([level]) => threshold !== null && meetsThreshold(Number(level), threshold),
    );
    if (counted.length === 0) continue;
    const count = counted.reduce((sum, [, values]) => sum + values, 0);
    const highest = Math.max(...counted.map(([level]) => Number(level)));
    types.push({ detector, count, confidence: highest / 100 });
  }
  return types;
}

/** Of two stretches of an object. */
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
