/** Many small files: the whole product against ripgrep, and where its time goes. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { FULL_RANGE } from '../../src/base/range.ts';
import { openSource } from '../../src/sources/open.ts';
import { type Bench, type Benchmark, scaled } from '../benchmark.ts';
import { run, shown } from '../command.ts';
import { compare } from '../compare.ts';
import { makeTree, type Tree } from '../corpus/tree.ts';
import { median, table } from '../figures.ts';
import { profileScan } from '../profile-scan.ts';
import { ROOT, Seine } from '../seine.ts';

export const small: Benchmark = {
  name: 'small',
  about: '20,000 files of 1–8 KB: the whole product against ripgrep, and where the time goes',
  async run(bench) {
    const tree = await smallTree(bench);
    const seine = new Seine(bench, 'small');
    await compare(bench, seine, tree);
    await ladder(bench, seine, tree);
    await profileScan(bench, seine, tree);
    await seine.stopped();
  },
};

export function smallTree(bench: Bench): Promise<Tree> {
  return bench.shared('small', async () =>
    makeTree(join(bench.trees, 'small'), {
      files: scaled(bench, 20_000, 100),
      sizes: [1000, 8000],
      seed: bench.seed,
      plantedRate: 0.001,
    }),
  );
}

/** Each command does what the one before does, and something more: the difference is the price of that. */
async function ladder(bench: Bench, seine: Seine, tree: Tree): Promise<void> {
  const empty = join(bench.folder, 'empty');
  mkdirSync(empty, { recursive: true });
  const steps: readonly (readonly [string, readonly string[]])[] = [
    ['Node itself', [process.execPath, '-e', '0']],
    ['launcher, modules of the command line', [join(ROOT, 'seine'), '--version']],
    ['database: connect, check migrations', seine.words(['scans'])],
    ['a scan of nothing: jobs, plan, threads, finalize', seine.words(['scan', empty, '--quiet'])],
    ['listing, inventory, checkpoints', seine.words(['scan', tree.folder, '--quiet'])],
    ['reading, detection, findings', seine.words(['scan', tree.folder, '--quiet', '--full'])],
    ['the report', seine.words(['scan', tree.folder, '--full'])],
  ];
  for (const [, words] of steps) await run(words, { env: { SEINE_IDLE_STOP: '5' } });
  const taken: number[][] = steps.map(() => []);
  for (let n = 0; n < bench.runs; n++) {
    for (const [place, [, words]] of steps.entries()) {
      taken[place]!.push((await run(words, { env: { SEINE_IDLE_STOP: '5' } })).seconds);
    }
  }
  let before = 0;
  const rows = steps.map(([what, words], place) => {
    const now = median(taken[place]!);
    const row = [what, (now - before).toFixed(2), now.toFixed(2), shownShort(words)];
    before = now;
    return row;
  });
  bench.log('  where the time goes, seen from outside (each line does more than the one before):');
  bench.log(table([['', 'more', 'seconds', ''], ...rows]));
  bench.log(`  listing alone, in one thread: ${(await listingSeconds(tree)).toFixed(2)} s`);
}

/** Without folders and the data folder. */
function shownShort(words: readonly string[]): string {
  const data = words.indexOf('--data');
  const kept = data < 0 ? words : words.slice(0, data);
  return shown(kept.map((word) => word.slice(word.lastIndexOf('/') + 1)));
}

async function listingSeconds(tree: Tree): Promise<number> {
  const began = performance.now();
  const { signal } = new AbortController();
  const source = await openSource(tree.folder, {});
  for await (const _ of source.list(FULL_RANGE, signal));
  return (performance.now() - began) / 1000;
}
