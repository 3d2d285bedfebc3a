/** How much a bucket holds, guessed from a few listing requests, against the truth. */

import { estimateOf } from '../../src/scans/planning/estimate-source.ts';
import { exploreSteps } from '../../src/scans/planning/plan-steps.ts';
import { makeBucket, SHAPES, type Shape } from '../../src/sources/sim/shapes.ts';
import type { Bench, Benchmark } from '../benchmark.ts';
import { scaled } from '../benchmark.ts';
import { lookThrough } from '../cluster/looks.ts';
import { count, table } from '../figures.ts';

const OBJECTS = 10_000_000;
const CALLS = [32, 128];

export const estimate: Benchmark = {
  name: 'estimate',
  about: 'how many objects a bucket holds, guessed from 32 and 128 listing requests',
  async run(bench) {
    const objects = scaled(bench, OBJECTS);
    const seeds = Array.from({ length: bench.quick ? 1 : bench.runs }, (_, i) => bench.seed + i);
    bench.say(
      `  ${count(objects)} objects; likely / truth, its lowest and highest over seeds ${seeds.join(', ')};`,
    );
    bench.say('  then how wide the interval was, and how often the truth was inside');
    const heads = CALLS.flatMap((calls) => [`${calls} calls`, 'high / low', 'inside']);
    const rows = SHAPES.map((shape) => [
      shape,
      ...CALLS.flatMap((calls) => row(shape, objects, seeds, calls)),
    ]);
    bench.say(table([['', ...heads], ...rows]));
    small(bench);
  },
};

function row(shape: Shape, objects: number, seeds: readonly number[], calls: number): string[] {
  const guesses = seeds.map((seed) => {
    const { result, calls: used } = lookThrough(makeBucket(shape, objects, seed), exploreSteps(calls));
    return estimateOf(result, used).objects;
  });
  const likely = guesses.map((guess) => guess.likely / objects).sort((a, b) => a - b);
  const width = guesses.reduce((sum, { low, high }) => sum + Math.log(high / low), 0) / guesses.length;
  const inside = guesses.filter(({ low, high }) => low <= objects && objects <= high).length;
  return [
    `${times(likely[0]!)} – ${times(likely.at(-1)!)}`,
    times(Math.exp(width)),
    `${inside} of ${guesses.length}`,
  ];
}

function times(ratio: number): string {
  return ratio.toPrecision(2);
}

/** What fits into the looks is counted, not guessed. */
function small(bench: Bench): void {
  for (const objects of [0, 1, 999, 5000]) {
    const { result, calls } = lookThrough(makeBucket('hex', objects, bench.seed), exploreSteps(128));
    const guess = estimateOf(result, calls);
    bench.check(
      guess.exact && guess.objects.likely === objects,
      `${count(objects)} objects are counted, in ${calls} calls`,
    );
  }
}
