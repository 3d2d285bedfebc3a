import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../src/db/database.ts';
import { freshDatabase } from '../support/database.ts';
import { runSeeds } from './run-seeds.ts';

/** `SEINE_SEED=17` repeats one run. `SEINE_SEEDS=100` runs so many, from 1 on. */
const only = process.env.SEINE_SEED === undefined ? null : Number(process.env.SEINE_SEED);
const SEEDS = Number(process.env.SEINE_SEEDS ?? 1000);
const SIDE_BY_SIDE = Number(process.env.SEINE_SIDE ?? 3);

describe('a cluster under faults', () => {
  const worlds: (Database & { readonly url: string })[] = [];
  beforeAll(async () => {
    for (let i = 0; i < SIDE_BY_SIDE; i++) worlds.push(await freshDatabase(1));
  });
  afterAll(async () => {
    for (const world of worlds) await world.close();
  });

  it(`keeps every promise under ${only === null ? `${SEEDS} seeds` : `seed ${only}`}`, async () => {
    const seeds = only === null ? Array.from({ length: SEEDS }, (_, i) => i + 1) : [only];
    const summary = await runSeeds(
      worlds.map(({ url }) => url),
      seeds,
      writeTrace,
    );
    process.stderr.write(
      `${summary.seeds} seeds, ${summary.turns} turns ${JSON.stringify(summary.counts)} cpu ${JSON.stringify(process.cpuUsage())}\n`,
    );
    expect(summary.broken).toEqual([]);
  }, 900_000);
});

function writeTrace(seed: number, trace: readonly string[]): string {
  const file = join(tmpdir(), `seine-seed-${seed}.txt`);
  writeFileSync(file, `${trace.join('\n')}\n`);
  return `trace: ${file}`;
}
