/** Text made to be slow: how fast at worst, and whether twice as much takes twice as long. */
import { randomFillSync } from 'node:crypto';
import { Random } from '../../examples/generator/random.ts';
import * as values from '../../examples/generator/values.ts';
import type { Detector } from '../../src/detection/detector.ts';
import { createScanner } from '../../src/detection/scanner.ts';
import type { Scanner } from '../../src/detection/spans.ts';
import { type Bench, scaled } from '../benchmark.ts';
import { WORDS } from '../corpus/words.ts';
import { count, median, table } from '../figures.ts';
import { checkMinimum } from './check-minimum.ts';
import { EVERY, USUAL } from './detectors.ts';
import { PLAIN_TEXT } from './scan-file.ts';

const SIZE = 32e6;
const LONG = 1e9;
const ASKED = 50;
const PUSHED = 256 * 1024;
const MAX_RUNS = 3;
const WARM = 1e6;
/** Processor time is counted in steps of some milliseconds. */
const MEASURABLE = 0.08;

interface Outcome {
  readonly name: string;
  readonly rate: number;
  /** By the processor time of this thread, to exclude other load on the machine. */
  readonly ownRate: number;
  /** How many times as much processor time as half of it takes; null: both are too short to measure. */
  readonly growth: number | null;
  readonly found: number;
}

export async function measureWorstCases(bench: Bench): Promise<void> {
  const size = scaled(bench, SIZE);
  const runs = Math.min(MAX_RUNS, bench.runs);
  for (const [which, detectors] of [
    ['on by default', USUAL],
    ['all', EVERY],
  ] as const) {
    const outcomes = outcomesOf(bench, detectors, size, runs);
    bench.log(
      `  detectors: ${which} (${detectors.length}); ${count(size / 1e6)} MB each, medians of ${runs} runs`,
    );
    bench.log(
      table(
        [['', 'MB/s', 'by processor time', 'against half of it', 'found'], ...outcomes.map(rowOf)],
        '    ',
      ),
    );
    const worst = outcomes.reduce((min, one) => (one.rate < min.rate ? one : min));
    bench.log(
      `  ${checkMinimum(`the slowest (${worst.name}), detectors ${which}`, worst.rate, ASKED, ' MB/s')}`,
    );
    const growths = outcomes.filter(({ growth }) => growth !== null);
    const steepest = growths.sort((a, b) => b.growth! - a.growth!)[0];
    if (steepest === undefined) continue;
    bench.log(
      `  twice as much takes at most ${steepest.growth!.toFixed(2)} times as long (${steepest.name}); 2 is linear, 4 quadratic`,
    );
  }
}

function outcomesOf(bench: Bench, detectors: readonly Detector[], size: number, runs: number): Outcome[] {
  const scanner = createScanner(detectors);
  const solid = [...units(bench.seed)].map(([name, unit]) =>
    outcomeOf(scanner, name, repeated(unit, Math.max(PUSHED, unit.length)), size, runs),
  );
  const long = scaled(bench, LONG);
  const one = outcomeOf(scanner, `${count(long / 1e6)} MB of one byte`, repeated('a', PUSHED), long, 1);
  const random = outcomeOf(scanner, 'random bytes', randomFillSync(Buffer.alloc(size)), size, runs);
  return [...solid, random, one];
}

function outcomeOf(scanner: Scanner, name: string, block: Buffer, size: number, runs: number): Outcome {
  scanBlocks(scanner, block, Math.min(size, WARM));
  const whole: Scanned[] = [];
  const half: Scanned[] = [];
  for (let n = 0; n < runs; n++) {
    half.push(scanBlocks(scanner, block, size / 2));
    whole.push(scanBlocks(scanner, block, size));
  }
  const own = median(whole.map(({ cpuSeconds }) => cpuSeconds));
  return {
    name,
    rate: size / 1e6 / median(whole.map(({ seconds }) => seconds)),
    ownRate: size / 1e6 / own,
    growth: own < MEASURABLE ? null : own / median(half.map(({ cpuSeconds }) => cpuSeconds)),
    found: whole[0]!.found,
  };
}

interface Scanned {
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly found: number;
}

/** The block again and again, up to so many bytes. It is a whole number of units. */
function scanBlocks(scanner: Scanner, block: Buffer, size: number): Scanned {
  let found = 0;
  const began = performance.now();
  const before = process.threadCpuUsage();
  scanner.begin(PLAIN_TEXT, (spans) => {
    found += spans.count;
  });
  for (let at = 0; at < size; at += block.length)
    scanner.push(block.subarray(0, Math.min(block.length, size - at)));
  scanner.end();
  const { user, system } = process.threadCpuUsage(before);
  return { seconds: (performance.now() - began) / 1000, cpuSeconds: (user + system) / 1e6, found };
}

function repeated(unit: string, minBytes: number): Buffer {
  const bytes = Buffer.from(unit, 'latin1');
  return Buffer.alloc(Math.ceil(minBytes / bytes.length) * bytes.length, bytes);
}

const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const MANY = 5000;

function units(seed: number): ReadonlyMap<string, string> {
  const random = new Random(seed, 'worst cases');
  const many = (make: () => string, between: string) => `${random.times(MANY, make).join(between)}${between}`;
  const plain = (value: string) => value.replace(/\uE000[A-Z_]+\uE001|\uE002/g, '');
  return new Map([
    ['solid e-mails', many(() => email(random), ' ')],
    ['solid valid cards', many(() => plain(values.creditCard(random, '')), ' ')],
    ['solid valid cards, grouped', many(() => plain(values.creditCard(random)), '\n')],
    ['solid coin addresses', many(() => plain(values.bitcoinAddress(random)), ' ')],
    ['base58 without an end', random.text(BASE58, 200_000)],
    ['base58 in words', many(() => random.text(BASE58, 34), ' ')],
    ...['a:', 'password=', ' eyJa', '1234-', ':', '7', '@', 'a@', 'a.', '1.', ' AB12', '123-45-6789 ']
      .concat([
        'GB82 ',
        'Mr A. ',
        'name: A ',
        '1 A ',
        '+1',
        '(5',
        '://a:b',
        '-----BEGIN ',
        '\n',
        '\0',
        '\xff',
      ])
      .map((unit) => [JSON.stringify(unit), unit] as const),
  ]);
}

function email(r: Random): string {
  return `${r.pick(WORDS)}.${r.pick(WORDS)}${r.int(1, 99)}@${r.pick(WORDS)}-${r.pick(WORDS)}.com`;
}

function rowOf({ name, rate, ownRate, growth, found }: Outcome): string[] {
  return [
    name,
    rate.toFixed(0),
    ownRate.toFixed(0),
    growth === null ? '–' : `${growth.toFixed(2)}x`,
    count(found),
  ];
}
