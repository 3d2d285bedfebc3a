/** The whole product against ripgrep on the same files, in turns. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Bench } from './benchmark.ts';
import { type Ran, run, shown } from './command.ts';
import type { Tree } from './corpus/tree.ts';
import { count, median, megabytes, seconds, table, times } from './figures.ts';
import { PATTERNS } from './patterns.ts';
import type { Seine } from './seine.ts';

interface Candidate {
  readonly name: string;
  run(): Promise<Ran>;
  /** The result. */
  found(): Promise<string>;
  readonly ran: Ran[];
}

export async function compare(bench: Bench, seine: Seine, tree: Tree): Promise<void> {
  const { log } = bench;
  log(`  ${count(tree.files)} files, ${megabytes(tree.bytes)}, ${count(tree.planted)} planted values`);
  const candidates = [...seineCandidate(bench, seine, tree), ...ripgrepCandidate(bench, tree)];
  // Not measured: creates the database, and loads the files into the page cache for all.
  for (const candidate of candidates) await candidate.run();
  const held = await seine.open(); // so that the server stays while ripgrep runs
  const serverBefore = seine.serverCpu()!;
  for (let n = 0; n < bench.runs; n++) {
    for (const candidate of candidates) candidate.ran.push(await candidate.run());
  }
  const serverEach = (seine.serverCpu()! - serverBefore) / (2 * bench.runs);
  await held.close();
  log(`  medians of ${bench.runs} runs in turns, files in the page cache:`);
  const best = candidates.findLast((candidate) => candidate.name.startsWith('rg'));
  const rows = await Promise.all(candidates.map((candidate) => rowOf(candidate, tree, best)));
  log(
    table([['', 'seconds', 'objects/s', 'MB/s', 'of rg -o', 'cpu s', 'of rg -o', 'peak', 'found'], ...rows]),
  );
  log(`  the database server used ${seconds(serverEach)} of processor time in each scan (not in "cpu s")`);
}

function seineCandidate(bench: Bench, seine: Seine, tree: Tree): Candidate[] {
  const report = join(bench.folder, 'report.txt');
  const found = async () => `${count((await seine.newest())!.findings)} findings`;
  return [
    {
      name: 'seine, quiet',
      run: () => seine.run(['scan', tree.folder, '--full', '--quiet']),
      found,
      ran: [],
    },
    {
      name: 'seine, with the report',
      run: () => seine.run(['scan', tree.folder, '--full'], { into: report }),
      found,
      ran: [],
    },
  ];
}

function ripgrepCandidate(bench: Bench, tree: Tree): Candidate[] {
  if (!bench.ripgrep) return [];
  const patterns = join(bench.folder, 'patterns');
  writeFileSync(patterns, `${Object.values(PATTERNS).join('\n')}\n`);
  const common = ['-j2', '-uu', '--no-unicode', '-a', '-f', patterns, tree.folder];
  const said = new Set<string>();
  return [['-c'], ['-o', '--byte-offset']].map((mode) => {
    const into = join(bench.folder, `rg${mode[0]}.txt`);
    const words = [bench.ripgrep!.path, ...mode, ...common];
    return {
      name: `rg ${mode.join(' ')}`,
      run: async () => {
        if (!said.has(words.join())) bench.log(`  $ ${shown(words)}`);
        said.add(words.join());
        const ran = await run(words, { into });
        // 1: nothing found; 2 is an error, such as a pattern it does not take.
        if (ran.code !== 0 && ran.code !== 1) throw new Error(ran.stderr);
        return ran;
      },
      found: async () => foundBy(mode[0]!, readFileSync(into, 'utf8')),
      ran: [],
    };
  });
}

function foundBy(mode: string, output: string): string {
  const lines = output.split('\n').filter(Boolean);
  if (mode === '-o') return `${count(lines.length)} matches`;
  // A single file is counted without its name.
  const sum = lines.reduce((total, line) => total + Number(line.slice(line.lastIndexOf(':') + 1)), 0);
  return `${count(sum)} lines`;
}

async function rowOf(candidate: Candidate, tree: Tree, rg: Candidate | undefined): Promise<string[]> {
  const of = (each: (ran: Ran) => number, whose = candidate) => median(whose.ran.map(each));
  const ratio = (each: (ran: Ran) => number) => (rg ? times(of(each) / of(each, rg)) : '–');
  const time = of((ran) => ran.seconds);
  return [
    candidate.name,
    time.toFixed(2),
    count(tree.files / time),
    (tree.bytes / 1e6 / time).toFixed(0),
    ratio((ran) => ran.seconds),
    of((ran) => ran.cpuSeconds).toFixed(2),
    ratio((ran) => ran.cpuSeconds),
    megabytes(of((ran) => ran.peakBytes)),
    await candidate.found(),
  ];
}
