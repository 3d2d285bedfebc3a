/** Many runs, several side by side, each in a world of its own. */
import { createHash } from 'node:crypto';
import { freshDatabase } from '../support/database.ts';
import { type Run, simulate } from './simulate.ts';
import { withSimulatedEnvironment } from './simulated-environment.ts';
import { World } from './world.ts';

export interface Summary {
  readonly seeds: number;
  readonly turns: number;
  /** Number of events by type: faults, operator actions, ends of shards. */
  readonly counts: Readonly<Record<string, number>>;
  /** Runs that violated an invariant, in order. */
  readonly broken: readonly Run[];
  /** Of each run, by its seed: equal if the same actors sent the same statements in the same order, with the same fates. */
  readonly hashes: ReadonlyMap<number, string>;
}

/** What is simulated: where runs take place, and which test repeats one. */
export interface Simulation {
  readonly test: string;
  open(): Promise<OpenWorld>;
}

interface OpenWorld {
  simulate(seed: number): Promise<Run>;
  close(): Promise<void>;
}

const SCANS: Simulation = {
  test: 'test/simulation/simulation',
  async open() {
    const database = await freshDatabase(1);
    const world = await World.open(database.url);
    return {
      simulate: (seed) => simulate(world, seed),
      async close() {
        await world.close();
        await database.close();
      },
    };
  },
};

interface Options {
  /** Default: scans. */
  readonly of?: Simulation;
  /** Enough is known after so many broken runs. */
  readonly enough?: number;
  readonly onRun?: (run: Run) => void;
}

/** So many of them beside each other, each in a world of its own. */
export async function runSeeds(
  concurrency: number,
  seeds: Iterable<number>,
  { of = SCANS, enough = 10, onRun }: Options = {},
): Promise<Summary> {
  const left = seeds[Symbol.iterator]();
  const runs = new Tally();
  const runSome = async (world: OpenWorld) => {
    for (let next = left.next(); !next.done && runs.broken.length < enough; next = left.next()) {
      const run = await world.simulate(next.value);
      runs.add(run);
      onRun?.(run);
    }
  };
  const worlds = await Promise.all(Array.from({ length: concurrency }, () => of.open()));
  try {
    await withSimulatedEnvironment(() => Promise.all(worlds.map(runSome)));
  } finally {
    await Promise.all(worlds.map((world) => world.close()));
  }
  return runs;
}

class Tally implements Summary {
  seeds = 0;
  turns = 0;
  readonly counts: Record<string, number> = {};
  readonly broken: Run[] = [];
  readonly hashes = new Map<number, string>();

  add(run: Run): void {
    this.seeds++;
    this.turns += run.trace.length;
    this.hashes.set(run.seed, createHash('sha256').update(run.trace.join('\n')).digest('hex'));
    for (const [what, times] of Object.entries(run.counts))
      this.counts[what] = (this.counts[what] ?? 0) + times;
    if (run.broken.length > 0) this.broken.push(run);
  }
}

/** What was broken, and how to see it again. */
export function describeBroken({ seed, broken }: Run, { test }: Simulation = SCANS): string {
  const shown = broken.slice(0, 5).join('; ');
  return `seed ${seed}: ${shown}. Again: SEINE_SEED=${seed} npx vitest run --project db ${test}`;
}
