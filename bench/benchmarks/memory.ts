/** Peak memory with few objects and with a hundred times as many. */
import { join } from 'node:path';
import { type Bench, type Benchmark, scaled } from '../benchmark.ts';
import type { Ran } from '../command.ts';
import { makeTinyFiles } from '../corpus/tiny-files.ts';
import type { Tree } from '../corpus/tree.ts';
import { checkMaximum, count, megabytes, seconds, table, times } from '../figures.ts';
import { Seine } from '../seine.ts';

const ASKED = 1.3;
const IN_FOLDER = 1000;
/** A short scan ends before its memory has settled: the middle one of three counts. */
const FEW_RUNS = 3;
const WATCH_SERVER_MS = 500;

export const memory: Benchmark = {
  name: 'memory',
  about: 'peak memory of a first scan of 10,000 and of 1,000,000 files',
  async run(bench) {
    const seine = new Seine(bench, 'memory');
    const few = await makeTinyFiles(
      join(bench.trees, 'ten-thousand'),
      scaled(bench, 10_000, 100),
      IN_FOLDER,
      bench.seed,
    );
    // The database is made by a scan that does not count: its making is not what is asked.
    await seine.run(['scan', few.folder, '--full', '--quiet']);
    const fewScans = [];
    for (let n = 0; n < FEW_RUNS; n++) fewScans.push(await firstScan(seine, few));
    fewScans.sort((a, b) => a.ran.peakBytes - b.ran.peakBytes);
    const scans = [fewScans[FEW_RUNS >> 1]!, await millionScan(bench)];
    await seine.stopped();
    if (bench.extras) scans.push(await oneFolder(bench));
    bench.log(
      table([
        ['files', 'peak', 'of 10,000 files’', 'seconds', 'objects/s', 'server’s peak'],
        ...scans.map((scan) => rowOf(scan, scans[0]!)),
      ]),
    );
    const ratio = scans[1]!.ran.peakBytes / scans[0]!.ran.peakBytes;
    bench.log(`  ${checkMaximum('peak memory, many files to few', ratio, ASKED, 'x')}`);
  },
};

interface Scanned {
  readonly tree: Tree;
  readonly ran: Ran;
  readonly serverBytes: number;
}

/** The million files, in a thousand folders. Also scanned again elsewhere. */
export function millionFiles(bench: Bench): Promise<Tree> {
  return bench.shared('million', async () => {
    const began = performance.now();
    const files = scaled(bench, 1_000_000, 1000);
    const tree = await makeTinyFiles(join(bench.trees, 'million'), files, IN_FOLDER, bench.seed);
    bench.log(`  (${count(files)} files made in ${seconds((performance.now() - began) / 1000)})`);
    return tree;
  });
}

export function millionSeine(bench: Bench): Promise<Seine> {
  return bench.shared('seine of the million', async () => new Seine(bench, 'million'));
}

/** Their first scan, with an empty database. */
export function millionScan(bench: Bench): Promise<Scanned> {
  return bench.shared('scan of the million', async () => {
    const tree = await millionFiles(bench);
    return firstScan(await millionSeine(bench), tree);
  });
}

async function oneFolder(bench: Bench): Promise<Scanned> {
  const files = scaled(bench, 1_000_000, 1000);
  const tree = await makeTinyFiles(join(bench.trees, 'one-folder'), files, files, bench.seed);
  const seine = new Seine(bench, 'one-folder');
  const scan = await firstScan(seine, tree);
  await seine.stopped();
  return scan;
}

async function firstScan(seine: Seine, tree: Tree): Promise<Scanned> {
  let serverBytes = 0;
  const watching = setInterval(() => {
    serverBytes = Math.max(serverBytes, seine.serverBytes());
  }, WATCH_SERVER_MS);
  try {
    return { tree, ran: await seine.run(['scan', tree.folder, '--full', '--quiet']), serverBytes };
  } finally {
    clearInterval(watching);
  }
}

function rowOf({ tree, ran, serverBytes }: Scanned, first: Scanned): string[] {
  return [
    count(tree.files),
    megabytes(ran.peakBytes),
    times(ran.peakBytes / first.ran.peakBytes),
    seconds(ran.seconds),
    count(tree.files / ran.seconds),
    megabytes(serverBytes),
  ];
}
