/** Benchmarks a detector on a built-in text, on this machine. */
import { costSample } from './cost-sample.ts';
import type { Detector } from './detector.ts';
import { createScanner } from './scanner.ts';
import type { Scanner } from './spans.ts';

export interface Cost {
  /** Nanoseconds per 1,024 bytes of text: all other detectors without it, and with it. */
  readonly without: number;
  readonly with: number;
  /** The detector alone. */
  readonly alone: number;
}

const WARM_UP = 20;
const ROUNDS = 41;

/** The three variants run in turns, so that other load on the machine affects all alike; returns the medians. */
export function measureCost(detector: Detector, all: readonly Detector[], rounds = ROUNDS): Cost {
  const text = costSample();
  const others = all.filter((other) => other.id !== detector.id);
  const scanners = [createScanner(others), createScanner([...others, detector]), createScanner([detector])];
  for (let n = 0; n < Math.min(WARM_UP, rounds); n++) for (const scanner of scanners) pass(scanner, text);
  const times = scanners.map((): number[] => []);
  for (let n = 0; n < rounds; n++)
    for (const [which, scanner] of scanners.entries()) times[which]!.push(pass(scanner, text));
  const [without, withIt, alone] = times.map((each) => (median(each) * 1024) / text.length);
  return { without: without!, with: withIt!, alone: alone! };
}

function pass(scanner: Scanner, text: Buffer): number {
  const began = process.hrtime.bigint();
  scanner.begin({ fieldAt: () => null, fieldScope: 'near' }, () => {});
  scanner.push(text);
  scanner.end();
  return Number(process.hrtime.bigint() - began);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1]!;
}
