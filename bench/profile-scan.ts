/** One scan under the profiler, and its report. */
import { join } from 'node:path';
import type { Bench } from './benchmark.ts';
import { run, shown } from './command.ts';
import type { Tree } from './corpus/tree.ts';
import { folderTable, functionTable, profiling, readProfiles } from './profile.ts';
import { ROOT, type Seine } from './seine.ts';

const FUNCTIONS = 15;

export async function profileScan(bench: Bench, seine: Seine, tree: Tree): Promise<void> {
  const folder = join(bench.folder, 'profiles');
  const words = [
    process.execPath,
    ...profiling(folder),
    '--disable-warning=ExperimentalWarning',
    join(ROOT, 'src/main.ts'),
    ...seine.words(['scan', tree.folder, '--full']).slice(1),
  ];
  bench.log(
    '  where the time goes, by the profiler (which slows it; Node’s own work counts for its caller):',
  );
  bench.log(`  $ ${shown(words)}`);
  // The launcher keeps compiled code there; a profile without it would show only compiling.
  const cache = join(ROOT, 'node_modules/.cache/seine');
  const ran = await run(words, { env: { SEINE_IDLE_STOP: '5', NODE_COMPILE_CACHE: cache } });
  if (ran.code !== 0) throw new Error(ran.stderr);
  const profiles = readProfiles(folder);
  bench.log(folderTable(profiles));
  for (const thread of ['main', 'detection 1']) {
    const found = profiles.find((each) => each.thread === thread);
    if (found) bench.log(functionTable(found, FUNCTIONS));
  }
}
