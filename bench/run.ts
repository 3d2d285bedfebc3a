/**
 * `npm run bench [-- NAME… FOLDER --scale 0.1 --runs 3 --seed 1 --seeds 10000 --cases 10000 --quick --dir FOLDER --trees FOLDER --only PART,… --ref COMMIT --keep
 * --extras --review N --judge FILE]`: what Seine must show, measured.
 *
 * It prints what it ran and the results. No time is asserted: machines differ. What must hold anywhere (equal digests,
 * a ledger that adds up, nothing read twice) is checked, and makes the exit code 1 when it does not.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Bench, Benchmark } from './benchmark.ts';
import { balance } from './benchmarks/balance.ts';
import { ceilings } from './benchmarks/ceilings.ts';
import { chaos } from './benchmarks/chaos.ts';
import { claims } from './benchmarks/claims.ts';
import { detect } from './benchmarks/detect.ts';
import { digest } from './benchmarks/digest.ts';
import { documents } from './benchmarks/documents.ts';
import { estimate } from './benchmarks/estimate.ts';
import { faults } from './benchmarks/faults.ts';
import { gigabyte } from './benchmarks/gigabyte.ts';
import { growth } from './benchmarks/growth.ts';
import { hostile } from './benchmarks/hostile.ts';
import { hostileFiles } from './benchmarks/hostile-files.ts';
import { kills } from './benchmarks/kills.ts';
import { limits } from './benchmarks/limits.ts';
import { memory } from './benchmarks/memory.ts';
import { quality } from './benchmarks/quality.ts';
import { rescan } from './benchmarks/rescan.ts';
import { scaling } from './benchmarks/scaling.ts';
import { small } from './benchmarks/small.ts';
import { start } from './benchmarks/start.ts';
import { store } from './benchmarks/store.ts';
import { streaming } from './benchmarks/streaming.ts';
import { takeover } from './benchmarks/takeover.ts';
import { workflows } from './benchmarks/workflows.ts';
import { seconds } from './figures.ts';
import { describeMachine, findRipgrep } from './machine.ts';

const BENCHMARKS: readonly Benchmark[] = [
  ...[start, small, gigabyte, memory, rescan, digest, kills, limits],
  ...[scaling, store, claims, ceilings, takeover, growth, chaos, workflows],
  ...[balance, estimate, faults, quality, detect, documents, streaming, hostile, hostileFiles],
];

const MANY_SEEDS = 10_000;
const MANY_CASES = 10_000;
const QUICK_CASES = 2000;
const QUICK_SEEDS = 500;
const USUAL_RUNS = 5;

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    scale: { type: 'string', default: '1' },
    runs: { type: 'string' },
    seed: { type: 'string', default: '1' },
    seeds: { type: 'string' },
    cases: { type: 'string' },
    quick: { type: 'boolean', default: false },
    dir: { type: 'string' },
    trees: { type: 'string' },
    only: { type: 'string' },
    ref: { type: 'string' },
    keep: { type: 'boolean', default: false },
    extras: { type: 'boolean', default: false },
    review: { type: 'string', default: '0' },
    judge: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
/** A word with a slash is no benchmark but a folder; the first one is that of labelled data. */
const folders = positionals.filter((word) => word.includes('/'));
const corpora = folders[0] ?? null;
const wanted = positionals.filter((word) => !folders.includes(word));
const unknown = wanted.filter((name) => !BENCHMARKS.some((benchmark) => benchmark.name === name));
if (options.help || unknown.length > 0) {
  if (unknown.length > 0) log(`No benchmark is called ${unknown.join(', ')}.`);
  log(usage());
  process.exit(options.help ? 0 : 2);
}

const broken: string[] = [];
const bench = prepare();
try {
  for (const line of describeMachine(bench.ripgrep)) log(line);
  log(
    `sizes    ${bench.scale === 1 ? 'full' : `${bench.scale} of the full ones`}; seed ${bench.seed}; data in ${bench.folder}`,
  );
  for (const benchmark of BENCHMARKS) {
    if (wanted.length === 0 || wanted.includes(benchmark.name)) await measure(benchmark);
  }
} finally {
  if (options.keep)
    log(`\nKept: ${bench.folder}${bench.trees === bench.folder ? '' : ` and ${bench.trees}`}`);
  else spawnSync('rm', ['-rf', bench.folder, bench.trees]);
}
log(broken.length === 0 ? '\nEverything that must hold held.' : `\nDOES NOT HOLD:\n  ${broken.join('\n  ')}`);
process.exit(broken.length === 0 ? 0 : 1);

function prepare(): Bench {
  const folder = newFolder(options.dir ?? tmpdir());
  const made = new Map<string, Promise<unknown>>();
  return {
    folder,
    trees: options.trees === undefined ? folder : newFolder(options.trees),
    scale: Number(options.scale),
    seed: Number(options.seed),
    seeds: Number(options.seeds ?? (options.quick ? QUICK_SEEDS : MANY_SEEDS)),
    cases: Number(options.cases ?? (options.quick ? QUICK_CASES : MANY_CASES)),
    runs: USUAL_RUNS,
    extras: options.extras,
    quick: options.quick,
    only: options.only?.split(',') ?? [],
    ref: options.ref ?? null,
    corpora: corpora === null ? null : resolve(corpora),
    folders: folders.map((folder) => resolve(folder)),
    review: Number(options.review),
    judged: options.judge === undefined ? null : resolve(options.judge),
    ripgrep: findRipgrep(),
    log,
    check(holds, what) {
      log(`  ${holds ? 'holds' : 'DOES NOT HOLD'}: ${what}`);
      if (!holds) broken.push(what);
    },
    shared<T>(name: string, make: () => Promise<T>): Promise<T> {
      const known = made.get(name) ?? make();
      made.set(name, known);
      return known as Promise<T>;
    },
  };
}

function newFolder(within: string): string {
  mkdirSync(resolve(within), { recursive: true });
  const folder = mkdtempSync(join(resolve(within), 'seine-bench-'));
  // As root the database runs under another account, which must be able to pass.
  chmodSync(folder, 0o711);
  return folder;
}

async function measure(benchmark: Benchmark): Promise<void> {
  log(`\n━━ ${benchmark.name}: ${benchmark.about}`);
  const began = performance.now();
  try {
    await benchmark.run({ ...bench, runs: Number(options.runs ?? benchmark.runs ?? USUAL_RUNS) });
  } catch (error) {
    log(`  FAILED: ${error instanceof Error ? error.stack : error}`);
    broken.push(`${benchmark.name} runs to its end`);
  }
  log(`  (${benchmark.name} took ${seconds((performance.now() - began) / 1000)})`);
}

function usage(): string {
  const names = BENCHMARKS.map(({ name, about }) => `  ${name.padEnd(15)}${about}`);
  return [
    'npm run bench [-- NAME… FOLDER --scale 0.1 --runs 5 --seed 1 --seeds 10000 --cases 10000 --quick --dir FOLDER --trees FOLDER --only PART,… --ref COMMIT --keep --extras --review N --judge FILE]',
    ...names,
    '--dir: where databases and outputs go. --trees: where the files to scan go (a million of them are made much',
    'faster on /dev/shm than on a disk). --extras: also a million files in one folder. --keep: leave it all.',
    '--only: scenarios of chaos and parts of ceilings, workflows, detect and quality, formats of documents, streaming and hostile, by name; words of hostile-files; for balance numbers of workers, strategies, shapes.',
    '--ref: the earlier version that chaos runs beside this one (versions).',
    'FOLDER: of labelled data, for quality; a path with a slash. More folders are scanned for its part noise.',
    '--review: print so many findings of noise that nobody judged yet, as JSON lines. --judge: merge the judged lines of a file.',
    `--seeds: runs of faults. --cases: files of hostile. --quick: a reduced version, for balance and estimate; for faults ${QUICK_SEEDS} runs, for hostile ${QUICK_CASES} cases.`,
  ].join('\n');
}

function log(line = ''): void {
  process.stdout.write(`${line}\n`);
}
