import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { describeBroken, runSeeds } from './run-seeds.ts';
import type { Run } from './simulate.ts';
import { INJECTED_FAULTS, OPERATOR_ACTIONS } from './workflows/scenario.ts';
import { WORKFLOWS } from './workflows/simulation.ts';

/** `SEINE_SEED=17` repeats one run and writes down its trace. `SEINE_SEEDS=100` runs so many, from 1 on. */
const only = process.env.SEINE_SEED === undefined ? null : Number(process.env.SEINE_SEED);
const SEEDS = Number(process.env.SEINE_SEEDS ?? 200);
const SIDE_BY_SIDE = 2;
const WAIT_TIMEOUT_MS = 900_000;

describe('runners under faults', () => {
  it.skipIf(only !== null)(
    `keep every promise under ${SEEDS} seeds`,
    async () => {
      const { broken, counts, seeds, turns } = await runSeeds(SIDE_BY_SIDE, seedsFrom(1, SEEDS), {
        of: WORKFLOWS,
        onRun: keepTrace,
      });
      expect(broken.map((run) => describeBroken(run, WORKFLOWS))).toEqual([]);
      // A simulation in which nothing goes wrong proves nothing.
      const mixed = ['left to newer code', 'refused to old code', 'newer code deployed'];
      const happened = [
        ...INJECTED_FAULTS,
        ...OPERATOR_ACTIONS,
        'rescaled',
        'overtaken',
        'parked',
        'slots given back',
        ...mixed,
      ];
      if (SEEDS >= 200) expect(Object.keys(counts)).toEqual(expect.arrayContaining(happened));
      process.stderr.write(`simulation of workflows: ${seeds} seeds, ${turns} turns\n`);
    },
    WAIT_TIMEOUT_MS,
  );

  it.runIf(only !== null)(
    `keep every promise under seed ${only}`,
    async () => {
      const { broken } = await runSeeds(1, [only!], { of: WORKFLOWS, onRun: writeTrace });
      expect(broken.map((run) => describeBroken(run, WORKFLOWS))).toEqual([]);
    },
    WAIT_TIMEOUT_MS,
  );
});

function seedsFrom(first: number, count: number): number[] {
  return Array.from({ length: count }, (_, i) => first + i);
}

function keepTrace(run: Run): void {
  if (run.broken.length > 0) writeTrace(run);
}

function writeTrace({ seed, trace, broken }: Run): void {
  const file = join(tmpdir(), `seine-workflows-seed-${seed}.txt`);
  writeFileSync(file, `${[...trace, ...broken].join('\n')}\n`);
  process.stderr.write(`The trace of seed ${seed}: ${file}\n`);
}
