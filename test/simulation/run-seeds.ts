/** Many runs, several side by side, each in a world of its own. */
import { createHash } from 'node:crypto';
import { simulate } from './simulate.ts';
import { inSurroundings } from './surroundings.ts';
import { World } from './world.ts';

export interface Summary {
  readonly seeds: number;
  readonly turns: number;
  readonly counts: Record<string, number>;
  /** With the seed and the way to its trace. */
  readonly broken: string[];
}

const ENOUGH = 20;

/** `url`s of migrated, empty databases: one for each simulation beside the others. `failed` is given the trace of a run that broke a promise. */
export async function runSeeds(
  urls: readonly string[],
  seeds: Iterable<number>,
  failed: (seed: number, trace: readonly string[]) => string,
): Promise<Summary> {
  const summary = { seeds: 0, turns: 0, counts: {} as Record<string, number>, broken: [] as string[] };
  const left = seeds[Symbol.iterator]();
  await inSurroundings(() => Promise.all(urls.map((url) => runSome(url, left, summary, failed))));
  return summary;
}

async function runSome(
  url: string,
  seeds: Iterator<number>,
  summary: Summary & { seeds: number; turns: number },
  failed: (seed: number, trace: readonly string[]) => string,
): Promise<void> {
  const world = await World.open(url);
  try {
    for (let next = seeds.next(); !next.done; next = seeds.next()) {
      const run = await simulate(world, next.value);
      summary.seeds++;
      summary.turns += run.trace.length;
      for (const [what, times] of Object.entries(run.counts))
        summary.counts[what] = (summary.counts[what] ?? 0) + times;
      if (run.broken.length === 0) continue;
      const where = failed(run.seed, run.trace);
      summary.broken.push(`seed ${run.seed}: ${run.broken.slice(0, 5).join('; ')} (${where})`);
      if (summary.broken.length >= ENOUGH) return;
    }
  } finally {
    await world.close();
  }
}

/** Equal for two runs in which the same actors sent the same statements in the same order, with the same fates. */
export function traceHash(trace: readonly string[]): string {
  return createHash('sha256').update(trace.join('\n')).digest('hex');
}
