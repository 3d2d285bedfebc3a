/** From a fresh clone to the first report, and every start after it. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Bench, Benchmark } from '../benchmark.ts';
import { run, shown } from '../command.ts';
import { checkMaximum, median, seconds, table } from '../figures.ts';
import { ROOT, Seine } from '../seine.ts';

const ASKED_SECONDS = 0.7;
const RUNS = 5;

export const start: Benchmark = {
  name: 'start',
  about: 'fresh clone to first report; a second start to its first output and to its end',
  async run(bench) {
    const clone = join(bench.folder, 'clone');
    const seine = new Seine(bench, 'start', clone);
    await firstReport(bench, seine, clone);
    await secondStarts(bench, seine, clone);
    await seine.stopped();
  },
};

async function firstReport(bench: Bench, seine: Seine, clone: string): Promise<void> {
  const { log } = bench;
  const dirty = spawnSync('git', ['status', '--porcelain'], { cwd: ROOT, encoding: 'utf8' }).stdout.trim();
  if (dirty !== '') log('  (the clone holds what is committed; the working tree has changes beyond that)');
  const cache = existsSync(join(homedir(), '.npm/_cacache')) ? 'warm' : 'empty';
  const words = ['git', 'clone', '--quiet', ROOT, clone];
  log(`  $ ${shown(words)}`);
  const cloned = await run(words);
  if (cloned.code !== 0) throw new Error(cloned.stderr);
  let installed = Number.NaN;
  const first = await seine.run(['scan', 'examples/data'], {
    cwd: clone,
    onText: (text, at) => {
      if (/installed in \d+ s/.test(text)) installed = at;
    },
  });
  log(
    table([
      ['clone', seconds(cloned.seconds)],
      [`install (npm's cache is ${cache})`, seconds(installed)],
      ['scan and report, database made', seconds(first.seconds - (installed || 0))],
      ['together', seconds(cloned.seconds + first.seconds)],
    ]),
  );
}

interface Way {
  readonly name: string;
  readonly cold: boolean;
  readonly terminal: boolean;
}

const WAYS: readonly Way[] = [
  { name: 'server runs, on a terminal', cold: false, terminal: true },
  { name: 'server runs, into a pipe', cold: false, terminal: false },
  { name: 'server stopped, on a terminal', cold: true, terminal: true },
  { name: 'server stopped, into a pipe', cold: true, terminal: false },
];

async function secondStarts(bench: Bench, seine: Seine, clone: string): Promise<void> {
  const words = seine.words(['scan', 'examples/data']);
  // `script` gives the command a terminal, where progress is shown at once; into a pipe the report comes first.
  const onTerminal = ['script', '-qfec', shown(words), '/dev/null'];
  bench.log(`  second starts, medians of ${RUNS}:`);
  bench.log(`  $ ${shown(words)}`);
  bench.log(`  $ ${shown(onTerminal)}`);
  const rows: string[][] = [];
  let slowest = 0;
  for (const { name, cold, terminal } of WAYS) {
    const firsts: number[] = [];
    const ends: number[] = [];
    for (let n = 0; n < RUNS; n++) {
      if (cold) await seine.stopped();
      const env = { SEINE_IDLE_STOP: cold ? '0' : '5', TERM: 'xterm' };
      const ran = await run(terminal ? onTerminal : words, { cwd: clone, env });
      if (ran.code !== 0) throw new Error(ran.stderr + ran.stdout);
      firsts.push(ran.firstOutput ?? Number.NaN);
      ends.push(ran.seconds);
    }
    if (terminal) slowest = Math.max(slowest, median(firsts));
    rows.push([name, seconds(median(firsts)), seconds(median(ends))]);
  }
  bench.log(table([['', 'first output', 'end'], ...rows]));
  bench.log(`  ${checkMaximum('first output on a terminal', slowest, ASKED_SECONDS, ' s')}`);
}
