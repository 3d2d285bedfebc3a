/** Two threads that share nothing but a counter, against one of them. */
import { createScanner } from '../../src/detection/scanner.ts';
import type { Bench } from '../benchmark.ts';
import { count, median, megabytes } from '../figures.ts';
import { checkMinimum } from './check-minimum.ts';
import { type DataFile, dataFiles } from './data-files.ts';
import { USUAL } from './detectors.ts';
import { scanFile } from './scan-file.ts';
import { RANGE } from './thread.ts';
import { startThreads, type Threads } from './threads.ts';

const ASKED = 1.85;
const AIM = 3000;
/** The first runs of a thread compile. */
const UNCOUNTED = 2;

export async function measureTwoCores(bench: Bench): Promise<void> {
  const threads = await startThreads(2);
  bench.log(`  threads take ranges of ${RANGE / 2 ** 20} MiB by one counter; each reads them itself`);
  for (const file of await dataFiles(bench)) await measureOn(bench, threads, file);
  await threads.end();
}

async function measureOn(bench: Bench, threads: Threads, file: DataFile): Promise<void> {
  const rates: Record<1 | 2, number[]> = { 1: [], 2: [] };
  const found = new Set([scanFile(createScanner(USUAL), file.path)]);
  for (let n = -UNCOUNTED; n < bench.runs; n++) {
    for (const many of [1, 2] as const) {
      const ran = await threads.run(many, { kind: 'ranges', path: file.path });
      found.add(ran.found);
      if (n >= 0) rates[many].push(file.bytes / 1e6 / ran.seconds);
    }
  }
  const [one, two] = [median(rates[1]), median(rates[2])];
  bench.log(
    `  ${file.name}, ${megabytes(file.bytes)}: one thread ${one.toFixed(0)} MB/s, two ${two.toFixed(0)} MB/s`,
  );
  bench.log(`    ${checkMinimum(`${file.name}, two threads against one`, two / one, ASKED, 'x')}`);
  bench.log(`    aimed at ${AIM} MB/s on two: ${two >= AIM ? 'met' : 'not met'}`);
  bench.check(
    found.size === 1,
    `${file.name}: in ranges by one or two threads as much is found as in one go (${[...found].map(count).join(', ')})`,
  );
}
