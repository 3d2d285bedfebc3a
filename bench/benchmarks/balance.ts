/**
 * How evenly a bucket of unknown shape is shared out among many workers: simulated clusters, in virtual time. What decides is the
 * code of production; see cluster/cluster.ts for what is simulated.
 */
import { makeBucket, SHAPES, type Shape } from '../../src/sources/sim/shapes.ts';
import { type Bench, type Benchmark, scaled } from '../benchmark.ts';
import { Costs } from '../cluster/costs.ts';
import type { ClusterOutcome } from '../cluster/outcome.ts';
import { production, type Run, STRATEGIES } from '../cluster/strategies.ts';
import { checkMaximum, count, seconds, table } from '../figures.ts';

const OBJECTS = 10_000_000;
const QUICK_OBJECTS = 1_000_000;
const WORKERS = [4, 16, 64, 256, 1000];
const QUICK_WORKERS = [64];
const GOALS: Readonly<Record<number, number>> = { 64: 1.05, 256: 1.05, 1000: 1.1 };
const MAX_LIST_REQUESTS = 2000;

export const balance: Benchmark = {
  name: 'balance',
  about: 'makespan of simulated clusters against a perfect one, on buckets of many shapes',
  async run(bench) {
    const objects = scaled(bench, bench.quick ? QUICK_OBJECTS : OBJECTS);
    const seeds = Array.from({ length: bench.quick ? 1 : bench.runs }, (_, i) => bench.seed + i);
    bench.log(
      `  ${count(objects)} objects of 2 to 20 ms, one in a thousand a hundred times that; LIST 80 ms, statements 5 ms;\n` +
        `  seconds / ideal, the worst of seeds ${seeds.join(', ')}; in brackets LIST calls beyond the scan's own, the mean`,
    );
    const { sizes, parts } = chosen(bench);
    for (const workers of sizes) oneSize(bench, { objects, workers, seeds });
    if (parts.includes('crashes')) crashes(bench, objects, seeds);
    if (parts.includes('huge')) huge(bench);
  },
};

/** `--only`: numbers of workers, strategies, shapes, `crashes` and `huge`. What is not narrowed down is run in full. */
function chosen(bench: Bench): { sizes: readonly number[]; parts: readonly string[] } {
  const sizes = bench.only.map(Number).filter((number) => number > 0);
  const parts = bench.only.filter((word) => word === 'crashes' || word === 'huge');
  if (sizes.length + parts.length > 0) return { sizes, parts };
  return bench.quick
    ? { sizes: QUICK_WORKERS, parts: ['crashes'] }
    : { sizes: WORKERS, parts: ['crashes', 'huge'] };
}

function among<T extends string>(bench: Bench, all: readonly T[]): readonly T[] {
  const some = all.filter((one) => bench.only.includes(one));
  return some.length > 0 ? some : all;
}

interface Size {
  readonly objects: number;
  readonly workers: number;
  readonly seeds: readonly number[];
}

interface Cell {
  readonly ratio: number;
  readonly lists: number;
}

/** One table: each shape, each strategy. Each row is printed as soon as it is computed, because the table takes long. */
function oneSize(bench: Bench, size: Size): void {
  const began = performance.now();
  const names = among(bench, Object.keys(STRATEGIES));
  const line = (first: string, cells: readonly string[]) =>
    bench.log(`  ${first.padEnd(10)}${cells.map((cell) => cell.padStart(16)).join('')}`);
  bench.log(`\n  ${size.workers} workers, ideal ${seconds(idealOf(size))}`);
  line('', names);
  const rows = among(bench, SHAPES).map((shape) => {
    const cells = names.map((name) => cellOf(outcomesOf(bench, shape, size, STRATEGIES[name]!)));
    line(shape, cells.map(formatCell));
    return cells;
  });
  bench.log(`  (simulated in ${seconds((performance.now() - began) / 1000)})`);
  if (names.at(-1) === 'production') {
    const own = rows.map((cells) => cells.at(-1)!);
    checkGoals(bench, size.workers, own);
  }
}

function checkGoals(bench: Bench, workers: number, own: readonly Cell[]): void {
  const worst = Math.max(...own.map(({ ratio }) => ratio));
  const goal = GOALS[workers];
  if (goal !== undefined) bench.log(`  ${checkMaximum('production, worst shape', worst, goal, 'x')}`);
  const lists = Math.max(...own.map((cell) => cell.lists));
  bench.log(
    `  ${checkMaximum('production, most LIST calls beyond', Math.round(lists), MAX_LIST_REQUESTS, '')}`,
  );
}

function idealOf({ objects, workers, seeds }: Size): number {
  return new Costs(seeds[0]!).upTo(objects) / workers;
}

function outcomesOf(
  bench: Bench,
  shape: Shape,
  { objects, workers, seeds }: Size,
  run: (run: Run) => ClusterOutcome,
  more: Partial<Run> = {},
): ClusterOutcome[] {
  const outcomes = seeds.map((seed) =>
    run({ bucket: makeBucket(shape, objects, seed), workers, seed, ...more }),
  );
  const isBroken = outcomes.some(({ missed, doubled }) => missed + doubled > 0);
  if (isBroken) bench.check(false, `${shape}, ${workers} workers: every object exactly once`);
  return outcomes;
}

function cellOf(outcomes: readonly ClusterOutcome[]): Cell {
  return { ratio: worstOf(outcomes), lists: sum(outcomes, (one) => one.extraLists) / outcomes.length };
}

function worstOf(outcomes: readonly ClusterOutcome[]): number {
  return Math.max(...outcomes.map((one) => one.seconds / one.ideal));
}

function sum(outcomes: readonly ClusterOutcome[], of: (outcome: ClusterOutcome) => number): number {
  return outcomes.reduce((total, outcome) => total + of(outcome), 0);
}

function formatCell({ ratio, lists }: Cell): string {
  return `${ratio.toFixed(ratio < 10 ? 3 : 1)} (${count(lists)})`;
}

/** Workers die and others take their place; what they had in hand is found when their leases expire. */
function crashes(bench: Bench, objects: number, seeds: readonly number[]): void {
  const size = { objects, workers: 64, seeds };
  const rows = among(bench, SHAPES).map((shape) => {
    const outcomes = outcomesOf(bench, shape, size, production, { lifetime: 600 });
    const died = count(sum(outcomes, (one) => one.crashes));
    return [shape, worstOf(outcomes).toFixed(3), died, count(sum(outcomes, (one) => one.redone))];
  });
  bench.log('\n  64 workers that live ten minutes in the mean; leases of 15 s, another worker after 10 s');
  bench.log(table([['', 'seconds / ideal', 'crashes', 'objects done again'], ...rows]));
}

/** Ten billion objects, ten thousand workers. */
function huge(bench: Bench): void {
  const size = { objects: 10_000_000_000, workers: 10_000, seeds: [bench.seed] };
  const rows = among(bench, ['hex', 'hive', 'heavy'] as const).map((shape) => {
    const began = performance.now();
    const outcomes = outcomesOf(bench, shape, size, production);
    const took = seconds((performance.now() - began) / 1000);
    const [{ extraLists, splits }] = outcomes as [ClusterOutcome];
    return [shape, worstOf(outcomes).toFixed(3), count(extraLists), count(splits), took];
  });
  bench.log(`\n  ${count(size.objects)} objects, ${count(size.workers)} workers, production`);
  bench.log(table([['', 'seconds / ideal', 'LIST calls beyond', 'splits', 'simulated in'], ...rows]));
}
