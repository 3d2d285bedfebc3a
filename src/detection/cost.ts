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

/** Generates a representative text on each call: prose, a table, a log, JSON and code in turns. Contains no real data. */
const PROSE =
  'The committee met on the second floor and agreed to postpone the review of the northern warehouse until the figures were complete. ';

const SIZE = 256 * 1024;

export function costSample(): Buffer {
  const pieces: string[] = [];
  let length = 0;
  for (let n = 0; length < SIZE; n++) {
    const piece = PIECES[n % PIECES.length]!(n);
    pieces.push(piece);
    length += piece.length;
  }
  return Buffer.from(pieces.join('')).subarray(0, SIZE);
}

const PIECES: readonly ((n: number) => string)[] = [
  () => `${PROSE.repeat(4)}\n`,
  (n) =>
    rows(
      n,
      (id) =>
        `${id},Order ${id % 977},shipped,${(id * 37) % 9973}.${id % 90},2024-0${(id % 9) + 1}-1${id % 9}\n`,
    ),
  (n) =>
    rows(
      n,
      (id) =>
        `2024-03-0${(id % 9) + 1}T08:${10 + (id % 49)}:07.${id % 999}Z INFO worker-${id % 8} took ${id % 731} ms\n`,
    ),
  (n) =>
    rows(
      n,
      (id) =>
        `{"id":${id},"kind":"parcel","weight":${id % 40}.5,"note":"seen ${id % 7} times","tags":["a","b${id % 5}"]}\n`,
    ),
  (n) =>
    rows(
      n,
      (id) => `  const item${id} = readItem(source, ${id}, { retries: ${id % 4}, label: 'row ${id}' });\n`,
    ),
  (n) =>
    rows(
      n,
      (id) => `${((id * 2654435761) >>> 0).toString(16).padStart(8, '0')}-${id % 9}c1e  build/${id}.o\n`,
    ),
];

function rows(n: number, row: (id: number) => string): string {
  return Array.from({ length: 8 }, (_, m) => row(100_000 + n * 8 + m)).join('');
}
