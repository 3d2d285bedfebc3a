/**
 * The simulations of test/simulation, of scans and of workflows, with more seeds than tests have time for: a small cluster on the real SQL, one statement at a time,
 * in an order and with faults that a seed decides. After each run every invariant is checked.
 */
import { availableParallelism } from 'node:os';
import { describeBroken, runSeeds, type Simulation, type Summary } from '../../test/simulation/run-seeds.ts';
import { INJECTED_FAULTS } from '../../test/simulation/scenario.ts';
import { WORKFLOWS } from '../../test/simulation/workflows/simulation.ts';
import { setup } from '../../test/support/database.ts';
import type { Bench, Benchmark } from '../benchmark.ts';
import { count, seconds, table } from '../figures.ts';

const LOG_EVERY = 1000;

export const faults: Benchmark = {
  name: 'faults',
  about:
    'interleavings and faults drawn from seeds: every invariant is checked after each (--seeds N, --quick, --only scans|workflows)',
  async run(bench) {
    bench.log(`  seeds ${bench.seed} to ${bench.seed + bench.seeds - 1}`);
    for (const [name, simulation] of Object.entries(SIMULATIONS))
      if (bench.only.length === 0 || bench.only.includes(name)) await simulateOne(bench, name, simulation);
  },
};

const SIMULATIONS: Readonly<Record<string, Simulation | undefined>> = {
  scans: undefined,
  workflows: WORKFLOWS,
};

async function simulateOne(bench: Bench, name: string, simulation: Simulation | undefined): Promise<void> {
  bench.log(`  ${name}`);
  const began = performance.now();
  const summary = await simulateAll(bench, simulation);
  const took = (performance.now() - began) / 1000;
  bench.log(table([['fault', 'times'], ...timesOf(summary, (what) => isTrouble(what))]));
  bench.log(table([['what else happened', 'times'], ...timesOf(summary, (what) => !isTrouble(what))]));
  const { seeds, turns, broken } = summary;
  bench.log(
    `  ${count(seeds)} seeds, ${count(turns)} turns in ${seconds(took)}: ${(seeds / took).toFixed(1)} seeds/s`,
  );
  for (const run of broken) bench.log(`  ${describeBroken(run, simulation)}`);
  bench.check(seeds === bench.seeds, `${name}: all ${count(bench.seeds)} seeds were run`);
  bench.check(
    broken.length === 0,
    `${name}: no invariant was violated (${broken.length} seeds violated one)`,
  );
}

async function simulateAll(bench: Bench, of: Simulation | undefined): Promise<Summary> {
  const stop = await setup();
  try {
    let done = 0;
    const onRun = () => void (++done % LOG_EVERY === 0 && bench.log(`  ${count(done)} seeds`));
    const seeds = Array.from({ length: bench.seeds }, (_, i) => bench.seed + i);
    return await runSeeds(availableParallelism() + 1, seeds, { ...(of && { of }), onRun, enough: 50 });
  } finally {
    await stop();
  }
}

/** The most frequent first. */
function timesOf({ counts }: Summary, wanted: (what: string) => boolean): string[][] {
  return Object.entries(counts)
    .filter(([what]) => wanted(what))
    .sort(([, a], [, b]) => b - a)
    .map(([what, times]) => [what, count(times)]);
}

/** Includes crashes of the process by an object or an event. */
function isTrouble(what: string): boolean {
  return (INJECTED_FAULTS as readonly string[]).includes(what) || what.startsWith('killed by an');
}
