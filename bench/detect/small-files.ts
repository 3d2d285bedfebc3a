/** Many small files from the page cache: open, read, close and detection, with the setup of a scanner for each. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Bench } from '../benchmark.ts';
import type { Tree } from '../corpus/tree.ts';
import { count, median, megabytes } from '../figures.ts';
import { Seine } from '../seine.ts';
import { checkMinimum } from './check-minimum.ts';
import { startThreads } from './threads.ts';

const ASKED = 100_000;
const UNCOUNTED = 2;

export async function measureSmallFiles(bench: Bench, tree: Tree): Promise<void> {
  const paths = pathsIn(tree.folder);
  bench.log(`  ${count(paths.length)} files of 1–8 KB, ${megabytes(tree.bytes)}, paths known beforehand`);
  const threads = await startThreads(2);
  const rates: Record<1 | 2, number[]> = { 1: [], 2: [] };
  const found = new Set<number>();
  for (let n = -UNCOUNTED; n < bench.runs; n++) {
    for (const many of [1, 2] as const) {
      const ran = await threads.run(many, { kind: 'files', paths });
      found.add(ran.found);
      if (n >= 0) rates[many].push(paths.length / ran.seconds);
    }
  }
  await threads.end();
  bench.log(
    `  ${checkMinimum('small files through detection, one thread', median(rates[1]), ASKED, ' files/s')}`,
  );
  bench.log(
    `  ${checkMinimum('small files through detection, two threads', median(rates[2]), ASKED, ' files/s')}`,
  );
  bench.check(found.size === 1, `one thread and two find the same in small files (${[...found].join(', ')})`);
  await wholeProduct(bench, tree);
}

/** Process, database, listing, inventory, findings: everything. */
async function wholeProduct(bench: Bench, tree: Tree): Promise<void> {
  const seine = new Seine(bench, 'detect');
  const scan = () => seine.run(['scan', tree.folder, '--full', '--quiet']);
  await scan(); // makes the database
  const rates: number[] = [];
  for (let n = 0; n < bench.runs; n++) rates.push(tree.files / (await scan()).seconds);
  bench.log(
    `  the whole product beside it: ${count(median(rates))} files/s, start and end of the process included`,
  );
  await seine.stopped();
}

function pathsIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
