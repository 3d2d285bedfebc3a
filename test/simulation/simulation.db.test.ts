import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { describeBroken, runSeeds } from './run-seeds.ts';
import { INJECTED_FAULTS } from './scenario.ts';
import type { Run } from './simulate.ts';

/** `SEINE_SEED=17` repeats one run and writes down its trace. `SEINE_SEEDS=100` runs so many, from 1 on. */
const only = process.env.SEINE_SEED === undefined ? null : Number(process.env.SEINE_SEED);
const SEEDS = Number(process.env.SEINE_SEEDS ?? 500);
const SIDE_BY_SIDE = 3;
const WAIT_TIMEOUT_MS = 900_000;

describe('a cluster under faults', () => {
  it.skipIf(only !== null)(
    `violates no invariant under ${SEEDS} seeds`,
    async () => {
      const { broken, counts, seeds, turns } = await runSeeds(SIDE_BY_SIDE, seedsFrom(1, SEEDS), {
        onRun: keepTrace,
      });
      expect(broken.map((run) => describeBroken(run))).toEqual([]);
      // A simulation in which nothing goes wrong proves nothing.
      if (SEEDS >= 500) expect(Object.keys(counts)).toEqual(expect.arrayContaining([...INJECTED_FAULTS]));
      process.stderr.write(`simulation: ${seeds} seeds, ${turns} turns\n`);
    },
    WAIT_TIMEOUT_MS,
  );

  it.runIf(only !== null)(
    `violates no invariant under seed ${only}`,
    async () => {
      const { broken } = await runSeeds(1, [only!], { onRun: writeTrace });
      expect(broken.map((run) => describeBroken(run))).toEqual([]);
    },
    WAIT_TIMEOUT_MS,
  );

  it('is repeatable for a seed, regardless of concurrent load', async () => {
    const seeds = seedsFrom(1, 24);
    const together = await runSeeds(SIDE_BY_SIDE, seeds);
    const alone = await runSeeds(1, seeds.toReversed());
    expect(alone.hashes.size).toBe(24);
    for (const [seed, hash] of alone.hashes) expect([seed, hash]).toEqual([seed, together.hashes.get(seed)]);
  });
});

function seedsFrom(first: number, count: number): number[] {
  return Array.from({ length: count }, (_, i) => first + i);
}

function keepTrace(run: Run): void {
  if (run.broken.length > 0) writeTrace(run);
}

function writeTrace({ seed, trace, broken }: Run): void {
  const file = join(tmpdir(), `seine-seed-${seed}.txt`);
  writeFileSync(file, `${[...trace, ...broken].join('\n')}\n`);
  process.stderr.write(`The trace of seed ${seed}: ${file}\n`);
}
