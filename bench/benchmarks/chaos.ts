/**
 * All fault scenarios in sequence, more often than tests have time for. After each: the findings equal those of an undisturbed scan,
 * every object is in the ledger, each hook ran once; for workflows each effect happened once and no event was skipped.
 */
import { join } from 'node:path';
import { messageOf } from '../../src/base/errors.ts';
import { type Bench, type Benchmark, scaled } from '../benchmark.ts';
import { failoverScenarios } from '../chaos/failover-scenario.ts';
import { pgBouncerScenarios } from '../chaos/pgbouncer-scenario.ts';
import { runnerScenarios } from '../chaos/runner-scenarios.ts';
import { type Result, type Scenario, Skipped } from '../chaos/scenario.ts';
import { databaseScenarios, storeScenarios } from '../chaos/server-scenarios.ts';
import { openStage, type Stage } from '../chaos/stage.ts';
import { versionScenarios } from '../chaos/version-scenario.ts';
import { workerScenarios } from '../chaos/worker-scenarios.ts';
import { makeTree } from '../corpus/tree.ts';
import { seconds, table } from '../figures.ts';

/** Scenarios to run; default: all. */
type Selecting = Bench & { readonly only?: readonly string[] };

export const chaos: Benchmark = {
  name: 'chaos',
  about:
    'workers, runners, database, store and Redis killed, paused and cut off: all guarantees hold (--only NAME,…)',
  async run(bench: Selecting) {
    const scenarios = scenariosOf(bench);
    const only = bench.only ?? [];
    const unknown = only.filter((name) => !scenarios.some((scenario) => scenario.name === name));
    if (unknown.length > 0)
      throw new Error(`No scenario is called ${unknown.join(', ')}: ${namesOf(scenarios)}.`);
    const chosen = scenarios.filter(({ name }) => only.length === 0 || only.includes(name));
    bench.log(`  scenarios: ${namesOf(chosen)}; seed ${bench.seed}`);
    const stage = await openStage(bench, 'chaos');
    const rows: string[][] = [];
    try {
      for (const scenario of chosen) rows.push(await runScenario(bench, stage, scenario));
    } finally {
      await stage.close();
    }
    bench.log(table([['', 'done', 'scans', 'seconds', 'findings, ledger, hooks'], ...rows]));
  },
};

function scenariosOf(bench: Bench): Scenario[] {
  const tree = (name: string, full: number, min: number) => {
    const plan = { files: scaled(bench, full, min), sizes: [200, 1500], plantedRate: 0.01 } as const;
    let made: string | null = null;
    return {
      objects: plan.files,
      /** Made when a scenario needs it. */
      get target() {
        made ??= makeTree(join(bench.trees, name), { ...plan, seed: bench.seed }).folder;
        return made;
      },
    };
  };
  const files = tree('chaos', 60_000, 6000);
  const fewFiles = tree('chaos-few', 4000, 2000);
  const objects = scaled(bench, 4_000_000, 50_000);
  const huge = { target: `sim:tenants/${objects}/${bench.seed}`, objects };
  return [
    ...workerScenarios(files, fewFiles, huge),
    ...databaseScenarios(files),
    ...failoverScenarios(),
    ...pgBouncerScenarios(),
    ...versionScenarios(),
    ...storeScenarios(),
    ...runnerScenarios(),
  ];
}

function namesOf(scenarios: readonly Scenario[]): string {
  return scenarios.map(({ name }) => name).join(', ');
}

async function runScenario(bench: Bench, stage: Stage, scenario: Scenario): Promise<string[]> {
  bench.log(`  ${scenario.name}: ${scenario.about}`);
  const began = performance.now();
  try {
    const result = await scenario.play(stage);
    checkResult(bench, scenario, result);
    const broken = result.scans.filter(({ whole }) => !whole).length;
    const took = result.scans.reduce((sum, scan) => sum + scan.seconds, 0);
    const kept = broken === 0 && (result.also ?? []).every(({ holds }) => holds);
    const verdict = kept ? 'as undisturbed' : broken > 0 ? `${broken} scans DIFFER` : 'NOT KEPT';
    const whole = result.scans.length > 0 ? took : (performance.now() - began) / 1000;
    return [scenario.name, result.done, `${result.scans.length}`, seconds(whole), verdict];
  } catch (error) {
    const skipped = error instanceof Skipped;
    if (!skipped) bench.check(false, `${scenario.name} runs to its end: ${messageOf(error)}`);
    const took = seconds((performance.now() - began) / 1000);
    return [
      scenario.name,
      messageOf(error).split('\n')[0]!.slice(0, 80),
      '0',
      took,
      skipped ? 'left out' : 'FAILED',
    ];
  }
}

function checkResult(bench: Bench, { name }: Scenario, { scans, also = [] }: Result): void {
  for (const { outcome, whole } of scans) {
    if (whole) continue;
    const { scan, status, listed, ledgered, hooks } = outcome;
    bench.log(
      `    scan ${scan}: ${status}, ${listed} listed, ${ledgered} in the ledger, ${hooks} hook calls`,
    );
  }
  if (scans.length > 0 || also.length === 0)
    bench.check(
      scans.length > 0 && scans.every(({ whole }) => whole),
      `${name}: ${scans.length} scans ended with the undisturbed findings, a whole ledger, one call of the webhook`,
    );
  for (const { holds, what } of also) bench.check(holds, what);
}
