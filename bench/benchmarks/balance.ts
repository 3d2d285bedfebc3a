/** How evenly a bucket of unknown shape is shared out among many workers: simulated clusters, in virtual time. */

import { makeBucket, SHAPES, type Shape } from '../../src/sources/sim/shapes.ts';
import type { Bench, Benchmark } from '../benchmark.ts';
import { scaled } from '../benchmark.ts';
import type { ClusterOutcome } from '../cluster/outcome.ts';
import { STRATEGIES } from '../cluster/strategies.ts';
import { count, table, verdict } from '../figures.ts';

const OBJECTS = 10_000_000;
const WORKERS = [4, 16, 64, 256, 1000];
const GOALS: Readonly<Record<number, number>> = { 64: 1.05, 256: 1.05, 1000: 1.1 };
const MOST_LISTS = 2000;

interface Cell {
  readonly ratio: number;
  readonly lists: number;
}

export const balance: Benchmark = {
  name: 'balance',
  about: 'makespan of simulated clusters against a perfect one, on buckets of many shapes',
  async run(bench) {
    const objects = scaled(bench, OBJECTS);
    const seeds = Array.from({ length: bench.quick ? 1 : bench.runs }, (_, i) => bench.seed + i);
    bench.say(
      `  ${count(objects)} objects of 2 to 20 ms (one in a thousand a hundred times that), LIST 80 ms, statements 5 ms;`,
    );
    bench.say(
      `  seconds / ideal, the worst of seeds ${seeds.join(', ')}; in brackets listing requests beyond the scan's own, the mean`,
    );
    for (const workers of workersFor(bench)) oneSize(bench, objects, workers, seeds);
    crashes(bench, objects, seeds);
    if (bench.extras) huge(bench);
  },
};

function workersFor(bench: Bench): number[] {
  if (bench.only.length > 0) return bench.only.map(Number);
  return bench.quick ? [64, 1000] : WORKERS;
}

function oneSize(bench: Bench, objects: number, workers: number, seeds: readonly number[]): void {
  const names = Object.keys(STRATEGIES);
  const rows: string[][] = [];
  const own: Cell[] = [];
  for (const shape of SHAPES) {
    const cells = names.map((name) => measure(bench, name, { shape, objects, workers, seeds }));
    own.push(cells[0]!);
    rows.push([shape, ...cells.map(shown)]);
  }
  bench.say(`\n  ${workers} workers`);
  bench.say(table([['', ...names], ...rows]));
  const worst = Math.max(...own.map(({ ratio }) => ratio));
  const goal = GOALS[workers];
  if (goal !== undefined) bench.say(`  ${verdict('the worst shape', worst, goal, 'x')}`);
  if (workers === 64) {
    bench.check(worst <= 1.05, '64 workers end within 1.05 of ideal on every shape');
    bench.say(`  ${verdict('listing requests', Math.max(...own.map(({ lists }) => lists)), MOST_LISTS, '')}`);
  }
}

interface Wanted {
  readonly shape: Shape;
  readonly objects: number;
  readonly workers: number;
  readonly seeds: readonly number[];
}

function measure(bench: Bench, name: string, { shape, objects, workers, seeds }: Wanted): Cell {
  const outcomes = seeds.map((seed) =>
    STRATEGIES[name]!({ bucket: makeBucket(shape, objects, seed), workers, seed }),
  );
  expectWhole(bench, outcomes, `${name} on ${shape}`);
  return {
    ratio: Math.max(...outcomes.map(ratioOf)),
    lists: outcomes.reduce((sum, { extraLists }) => sum + extraLists, 0) / outcomes.length,
  };
}

function expectWhole(bench: Bench, outcomes: readonly ClusterOutcome[], what: string): void {
  const broken = outcomes.some(({ missed, doubled }) => missed + doubled > 0);
  if (broken) bench.check(false, `${what}: every object exactly once`);
}

function ratioOf({ seconds, ideal }: ClusterOutcome): number {
  return seconds / ideal;
}

function shown({ ratio, lists }: Cell): string {
  return `${ratio.toFixed(ratio < 10 ? 3 : 1)} (${count(lists)})`;
}

/** Workers die and others take their place; what they had in hand is found when their leases expire. */
function crashes(bench: Bench, objects: number, seeds: readonly number[]): void {
  const rows = SHAPES.map((shape) => {
    const outcomes = seeds.map((seed) =>
      STRATEGIES.production!({ bucket: makeBucket(shape, objects, seed), workers: 64, seed, lifetime: 600 }),
    );
    expectWhole(bench, outcomes, `${shape} with crashes`);
    const sum = (of: (outcome: ClusterOutcome) => number) =>
      outcomes.reduce((total, outcome) => total + of(outcome), 0);
    return [
      shape,
      Math.max(...outcomes.map(ratioOf)).toFixed(3),
      count(sum(({ crashes: n }) => n)),
      count(sum(({ redone }) => redone)),
    ];
  });
  bench.say('\n  64 workers that live ten minutes in the mean; leases of 15 s, another worker after 10 s');
  bench.say(table([['', 'seconds / ideal', 'crashes', 'objects done again'], ...rows]));
}

/** Ten billion objects, ten thousand workers. */
function huge(bench: Bench): void {
  const rows = (['hex', 'hive', 'heavy'] as const).map((shape) => {
    const began = performance.now();
    const bucket = makeBucket(shape, 10_000_000_000, bench.seed);
    const outcome = STRATEGIES.production!({ bucket, workers: 10_000, seed: bench.seed });
    expectWhole(bench, [outcome], `${shape}, ten billion`);
    const took = (performance.now() - began) / 1000;
    return [
      shape,
      ratioOf(outcome).toFixed(3),
      count(outcome.extraLists),
      count(outcome.splits),
      `${took.toFixed(0)} s`,
    ];
  });
  bench.say('\n  10,000,000,000 objects, 10,000 workers');
  bench.say(table([['', 'seconds / ideal', 'extra lists', 'splits', 'simulated in'], ...rows]));
}
