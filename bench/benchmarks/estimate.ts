/** How much a bucket holds, guessed from a few listing requests, against the truth. */
import type { Spread } from '../../src/scans/planning/estimate.ts';
import { estimateOf } from '../../src/scans/planning/estimate-source.ts';
import { estimateProbes } from '../../src/scans/planning/plan-probes.ts';
import { makeBucket, SHAPES, type Shape } from '../../src/sources/sim/shapes.ts';
import { type Bench, type Benchmark, scaled } from '../benchmark.ts';
import { probeAll } from '../cluster/probes.ts';
import { Sizes } from '../cluster/sizes.ts';
import { count, table } from '../figures.ts';

const OBJECTS = 10_000_000;
const QUICK_OBJECTS = 1_000_000;
const MAX_LIST_REQUESTS = 128;

export const estimate: Benchmark = {
  name: 'estimate',
  about: `how many objects and bytes a bucket holds, guessed from at most ${MAX_LIST_REQUESTS} listing requests`,
  async run(bench) {
    const objects = scaled(bench, bench.quick ? QUICK_OBJECTS : OBJECTS);
    const seeds = Array.from({ length: bench.quick ? 1 : bench.runs }, (_, i) => bench.seed + i);
    bench.log(
      `  ${count(objects)} objects, seeds ${seeds.join(', ')}; the most likely number divided by the`,
    );
    bench.log('  true one, lowest and highest; high / low of the interval; how often the truth was inside');
    const truths = seeds.map((seed) => truthOf(objects, seed));
    const rows = SHAPES.map((shape) => row(bench, shape, truths));
    const heads = ['objects', 'high / low', 'inside', 'bytes', 'high / low', 'inside', 'calls'];
    bench.log(table([['', ...heads], ...rows]));
    small(bench);
  },
};

interface Truth {
  readonly objects: number;
  readonly bytes: number;
  readonly sizes: Sizes;
  readonly seed: number;
}

function truthOf(objects: number, seed: number): Truth {
  const sizes = new Sizes(seed);
  return { objects, sizes, seed, bytes: sizes.between(0, objects) };
}

function row(bench: Bench, shape: Shape, truths: readonly Truth[]): string[] {
  const guesses = truths.map(({ objects, seed, sizes }) => {
    const bytesBetween = (from: number, to: number) => sizes.between(from, to);
    const probed = probeAll(
      makeBucket(shape, objects, seed),
      estimateProbes(MAX_LIST_REQUESTS),
      bytesBetween,
    );
    return estimateOf(probed.result, probed.calls);
  });
  const calls = Math.max(...guesses.map((guess) => guess.calls));
  if (calls > MAX_LIST_REQUESTS) bench.check(false, `${shape}: no more than ${MAX_LIST_REQUESTS} calls`);
  const column = (of: 'objects' | 'bytes') =>
    compared(guesses.map((guess, i) => ({ guess: guess[of], truth: truths[i]![of] })));
  return [shape, ...column('objects'), ...column('bytes'), count(calls)];
}

function compared(all: readonly { guess: Spread; truth: number }[]): string[] {
  const likely = all.map(({ guess, truth }) => guess.likely / truth).sort((a, b) => a - b);
  const width = all.reduce((sum, { guess }) => sum + Math.log(guess.high / guess.low), 0) / all.length;
  const inside = all.filter(({ guess, truth }) => guess.low <= truth && truth <= guess.high).length;
  return [
    `${shown(likely[0]!)} – ${shown(likely.at(-1)!)}`,
    shown(Math.exp(width)),
    `${inside} of ${all.length}`,
  ];
}

function shown(ratio: number): string {
  return ratio >= 10 ? count(Number(ratio.toPrecision(2))) : ratio.toPrecision(2);
}

/** Ranges that the probes list completely are counted, not estimated. */
function small(bench: Bench): void {
  for (const objects of [0, 1, 999, 5000]) {
    const { result, calls } = probeAll(
      makeBucket('hex', objects, bench.seed),
      estimateProbes(MAX_LIST_REQUESTS),
    );
    const guess = estimateOf(result, calls);
    bench.check(
      guess.exact && guess.objects.likely === objects,
      `${count(objects)} objects are counted, in ${calls} calls`,
    );
  }
}
