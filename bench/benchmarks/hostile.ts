/** Randomly corrupted files, read as scans read them: each must end with an outcome, and none may crash the process. */
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { IsolatedReaders } from '../../src/extraction/isolation/isolated-readers.ts';
import { isReaderFault, LIMITS } from '../../src/extraction/samples/attempt.fixture.ts';
import { spoiled, type Tried, tryCase } from '../../src/extraction/samples/case.fixture.ts';
import type { Sample } from '../../src/extraction/samples/sample.fixture.ts';
import { SAMPLES } from '../../src/extraction/samples/samples.fixture.ts';
import type { Bench, Benchmark } from '../benchmark.ts';
import { usageOf } from '../command.ts';
import { count, megabytes, seconds, table } from '../figures.ts';

const LOG_EVERY = 2000;
const POLL_INTERVAL_MS = 100;

export const hostile: Benchmark = {
  name: 'hostile',
  about:
    'files spoiled by chance, of every format: an outcome for each (--cases N, --seed N, --only FORMAT,…, --extras: all reasons)',
  async run(bench) {
    const samples = SAMPLES.filter(({ format }) => bench.only.length === 0 || bench.only.includes(format));
    const run = new Run(bench, samples);
    const began = performance.now();
    await run.all();
    report(bench, run, (performance.now() - began) / 1000);
  },
};

interface Tally {
  cases: number;
  read: number;
  partial: number;
  skipped: number;
  dead: number;
  thrown: number;
  slowest: number;
}

class Run {
  readonly #bench: Bench;
  readonly #samples: readonly Sample[];
  readonly formats = new Map<string, Tally>();
  readonly reasons = new Map<string, number>();
  readonly defects: string[] = [];
  /** Of processes that read documents: crashes, hangs, and what no reader foresaw. */
  faults = 0;
  readonly processes = new Map<number, number>();
  slowest = { ms: 0, label: 'none' };
  mainPeak = 0;
  done = 0;
  #next = 0;

  constructor(bench: Bench, samples: readonly Sample[]) {
    this.#bench = bench;
    this.#samples = samples;
  }

  async all(): Promise<void> {
    const sampling = setInterval(() => this.#sample(), POLL_INTERVAL_MS);
    try {
      await Promise.all(Array.from({ length: availableParallelism() }, () => this.#runWorker()));
    } finally {
      clearInterval(sampling);
    }
  }

  async #runWorker(): Promise<void> {
    const documents = new IsolatedReaders();
    const options = { documents, limits: LIMITS, options: { ocr: false } };
    while (this.#next < this.#bench.cases) {
      const index = this.#next++;
      const sample = this.#samples[index % this.#samples.length]!;
      const one = spoiled(sample, this.#bench.seed, Math.floor(index / this.#samples.length));
      this.#note(sample.format, one.label, await tryCase(one, options));
    }
    this.#sample();
    documents.close();
  }

  #note(format: string, label: string, tried: Tried): void {
    const { outcome, reason, ms, defect } = tried;
    const tally = this.formats.get(format) ?? { ...NOTHING };
    this.formats.set(format, tally);
    tally.cases++;
    tally[outcome]++;
    tally.slowest = Math.max(tally.slowest, ms);
    if (outcome !== 'read') addTo(this.reasons, `${outcome}: ${reason ?? 'no outcome'}`);
    if (ms > this.slowest.ms) this.slowest = { ms, label };
    if (defect !== null) this.defects.push(defect);
    if (isReaderFault(tried)) this.faults++;
    if (++this.done % LOG_EVERY === 0) this.#bench.log(`  ${count(this.done)} cases`);
  }

  /** The peak of a process is known as long as it lives. */
  #sample(): void {
    this.mainPeak = Math.max(this.mainPeak, process.memoryUsage.rss());
    for (const pid of childrenOf(process.pid)) {
      const peak = usageOf(pid)?.peakBytes;
      if (peak !== undefined) this.processes.set(pid, peak);
    }
  }
}

const NOTHING: Tally = { cases: 0, read: 0, partial: 0, skipped: 0, dead: 0, thrown: 0, slowest: 0 };

function report(bench: Bench, run: Run, took: number): void {
  const rows = [...run.formats].map(([format, { slowest, ...counts }]) => [
    format,
    ...Object.values(counts).map(count),
    `${slowest.toFixed(0)} ms`,
  ]);
  bench.log(table([['format', 'cases', 'read', 'partial', 'skipped', 'dead', 'thrown', 'slowest'], ...rows]));
  const reasons = [...(bench.extras ? run.reasons : groupsOf(run.reasons))].sort(([, a], [, b]) => b - a);
  bench.log(table([['outcome', 'cases'], ...reasons.map(([reason, times]) => [reason, count(times)])]));
  bench.log(
    `  ${count(run.done)} cases in ${seconds(took)}: ${(run.done / took).toFixed(1)} cases/s; slowest ${run.slowest.ms.toFixed(0)} ms (${run.slowest.label})`,
  );
  const peak = Math.max(0, ...run.processes.values());
  bench.log(
    `  peak memory ${megabytes(run.mainPeak)}; of ${run.processes.size} document processes at most ${megabytes(peak)}; ${run.faults} faults of theirs`,
  );
  for (const defect of run.defects) bench.log(`  ${defect}`);
  bench.check(run.done === bench.cases, `all ${count(bench.cases)} cases ended`);
  bench.check(run.defects.length === 0, `every case has an outcome (${run.defects.length} have none)`);
}

/** `partial: corrupt: zip entry` is a `partial: corrupt`. */
function groupsOf(reasons: ReadonlyMap<string, number>): Map<string, number> {
  const groups = new Map<string, number>();
  for (const [reason, times] of reasons) addTo(groups, reason.split(': ', 2).join(': '), times);
  return groups;
}

function childrenOf(pid: number): number[] {
  const pids = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ');
  return pids.filter((word) => word !== '').map(Number);
}

function addTo(counts: Map<string, number>, what: string, times = 1): void {
  counts.set(what, (counts.get(what) ?? 0) + times);
}
