/** Large things are read as they come: memory does not grow with them. */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Bench, type Benchmark, scaled } from '../benchmark.ts';
import { count, megabytes, seconds, table } from '../figures.ts';
import { Seine } from '../seine.ts';
import { writeLargeTar, writeLargeZip } from '../streaming/large-archives.ts';
import type { LargeFile } from '../streaming/large-file.ts';
import { writeLargeParquet } from '../streaming/large-parquet.ts';
import { type Sample, type Watched, watchScan } from '../streaming/watch-scan.ts';

interface Large {
  readonly format: string;
  readonly about: string;
  readonly bytes: number;
  write(folder: string, bytes: number, seed: number): LargeFile;
}

const LARGE: readonly Large[] = [
  { format: 'zip', about: 'a CSV of 5 GB in a zip', bytes: 5e9, write: writeLargeZip },
  { format: 'parquet', about: 'a Parquet file of 2 GB', bytes: 2e9, write: writeLargeParquet },
  { format: 'tar.gz', about: 'CSV files of 10 GB in a tar.gz', bytes: 10e9, write: writeLargeTar },
];

const SHARES = [0.1, 0.5, 0.9] as const;

export const streaming: Benchmark = {
  name: 'streaming',
  about: `5 GB in a zip, 2 GB of Parquet, 10 GB in a tar.gz: time and memory (--only ${LARGE.map(({ format }) => format).join(',')})`,
  async run(bench) {
    const seine = new Seine(bench, 'streaming');
    // The database is made by a scan that does not count: its making is not what is asked.
    await seine.run(['scan', import.meta.dirname, '--full', '--quiet']);
    const rows: string[][] = [];
    for (const large of LARGE) {
      if (bench.only.length > 0 && !bench.only.includes(large.format)) continue;
      rows.push(await scanLarge(bench, seine, large));
    }
    await seine.stopped();
    const memory = (whose: string) => [...SHARES.map((share) => `${whose} at ${100 * share} %`), 'peak'];
    const head = ['', 'file', 'inside', 'seconds', 'MB/s of it', 'findings', 'outcome'];
    bench.log(table([[...head, ...memory('main'), ...memory('documents'), 'server’s peak'], ...rows]));
  },
};

async function scanLarge(bench: Bench, seine: Seine, large: Large): Promise<string[]> {
  const folder = join(bench.trees, `large-${large.format}`);
  mkdirSync(folder);
  try {
    const began = performance.now();
    const file = large.write(folder, scaled(bench, large.bytes, 1e6), bench.seed);
    const took = seconds((performance.now() - began) / 1000);
    bench.log(
      `  ${large.about}: ${megabytes(file.bytes)}, ${megabytes(file.inside)} inside, made in ${took}`,
    );
    const watched = await watchScan(seine, folder);
    const scan = (await seine.newest())!;
    const outcome = await outcomeOf(seine, scan.id);
    bench.check(outcome === 'scanned', `${large.about} is read whole: ${outcome}`);
    return rowOf(large, file, watched, scan.findings, outcome);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function outcomeOf(seine: Seine, scan: number): Promise<string> {
  const { ledger } = await seine.coverage(scan);
  return ledger
    .filter(({ objects }) => objects > 0)
    .map(({ outcome }) => outcome)
    .join(', ');
}

function rowOf(
  { about }: Large,
  file: LargeFile,
  { ran, samples }: Watched,
  findings: number,
  outcome: string,
): string[] {
  return [
    ...[about, megabytes(file.bytes), megabytes(file.inside), ran.seconds.toFixed(1)],
    ...[(file.inside / 1e6 / ran.seconds).toFixed(0), count(findings), outcome],
    ...course(samples, ({ main }) => main),
    ...course(samples, ({ documents }) => documents),
    megabytes(Math.max(0, ...samples.map(({ server }) => server))),
  ];
}

/** At those shares of the time, and the most. */
function course(samples: readonly Sample[], of: (sample: Sample) => number): string[] {
  const at = (share: number) => samples[Math.floor(share * samples.length)];
  const some = SHARES.map((share) => at(share)).map((sample) => (sample ? megabytes(of(sample)) : '–'));
  return [...some, megabytes(Math.max(0, ...samples.map(of)))];
}
