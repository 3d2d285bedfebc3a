/**
 * Small files that cost much, each scanned alone by the real program with its default settings: how long it took, the memory
 * of all its processes together, and what became of it. Then Ctrl-C while the slowest of them are read.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { HostileFile } from '../../src/extraction/samples/hostile/hostile-file.fixture.ts';
import { HOSTILE_FILES } from '../../src/extraction/samples/hostile/hostile-files.fixture.ts';
import { survivors, watchTree } from '../../test/support/process-tree.ts';
import type { Bench, Benchmark } from '../benchmark.ts';
import { megabytes, seconds, table } from '../figures.ts';
import { Seine } from '../seine.ts';

const MAX_SECONDS = 30;
const MAX_BYTES = 1e9;
const MAX_INPUT = 5e6;
const INTERRUPTED = 5;
const INTERRUPT_AFTER_MS = 4000;
const WAIT_TIMEOUT_MS = 15_000;

interface Measured {
  readonly file: HostileFile;
  readonly size: number;
  readonly seconds: number;
  readonly peakBytes: number;
  readonly left: readonly string[];
  readonly outcome: string;
}

export const hostileFiles: Benchmark = {
  name: 'hostile-files',
  about:
    'small files that cost much, each scanned by default settings (--only WORDS,…: those whose description has them)',
  async run(bench) {
    const wanted = ({ what }: HostileFile) =>
      bench.only.length === 0 || bench.only.some((words) => what.includes(words));
    const files = HOSTILE_FILES.filter(wanted);
    const seine = new Seine(bench, 'hostile-files');
    await scanned(bench, seine, { what: 'nothing', name: 'a.txt', make: () => Buffer.from('x') });
    const measured: Measured[] = [];
    for (const file of files) {
      const one = await scanned(bench, seine, file);
      measured.push(one);
      bench.log(
        `  ${seconds(one.seconds).padStart(7)} ${megabytes(one.peakBytes).padStart(8)}  ${file.what} (${megabytes(one.size)}): ${one.outcome}`,
      );
    }
    report(bench, measured);
    await interrupted(bench, seine, measured);
    await seine.stopped();
  },
};

async function scanned(bench: Bench, seine: Seine, file: HostileFile): Promise<Measured> {
  const { path, size } = written(bench, file);
  const running = seine.start(['scan', path, '--full', '--quiet']);
  const tree = watchTree(running.pid);
  const ran = await running.ended;
  tree.stop();
  const left = await survivors(tree.seen(), WAIT_TIMEOUT_MS);
  rmSync(path);
  const outcome = ran.signal === null ? await outcomeOf(seine) : `ended by ${ran.signal}`;
  return { file, size, seconds: ran.seconds, peakBytes: tree.peak().megabytes * 1e6, left, outcome };
}

function written(bench: Bench, { name, make }: HostileFile): { path: string; size: number } {
  const folder = join(bench.folder, 'hostile');
  mkdirSync(folder, { recursive: true });
  const bytes = make();
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return { path, size: bytes.length };
}

/** Objects that were scanned without a finding have no row. */
async function outcomeOf(seine: Seine): Promise<string> {
  const [newest] = await seine.query<{ status: string; outcome: string | null; reason: string | null }>(
    `select status, outcome, reason from scan left join object_result on scan_id = scan.id order by scan.id desc limit 1`,
  );
  if (newest?.status !== 'completed') return `the scan is ${newest?.status}`;
  return newest.outcome === null ? 'scanned' : `${newest.outcome} ${newest.reason}`.trim();
}

function report(bench: Bench, measured: readonly Measured[]): void {
  const slowest = measured.toSorted((a, b) => b.seconds - a.seconds);
  const largest = measured.toSorted((a, b) => b.peakBytes - a.peakBytes);
  const row = ({ file, ...one }: Measured) => [
    file.what,
    seconds(one.seconds),
    megabytes(one.peakBytes),
    one.outcome,
  ];
  bench.log('  the slowest, then the largest:');
  const head = ['file', 'time', 'peak of all processes', 'outcome'];
  bench.log(table([head, ...slowest.slice(0, 5).map(row), ...largest.slice(0, 5).map(row)]));
  const bad = (what: string, is: (one: Measured) => boolean) => {
    const those = measured.filter(is);
    const names = those.map(({ file }) => file.what).join('; ');
    bench.check(those.length === 0, `${what}${those.length === 0 ? '' : ` (${those.length} not: ${names})`}`);
  };
  bench.log(`  ${measured.length} files`);
  bad('every file is small', ({ size }) => size > MAX_INPUT);
  bad(`every file ends within ${MAX_SECONDS} s`, (one) => one.seconds > MAX_SECONDS);
  bad(`every file stays below ${megabytes(MAX_BYTES)}`, (one) => one.peakBytes > MAX_BYTES);
  bad('every file has an outcome', ({ outcome }) => !/^(scanned|partial|skipped)/.test(outcome));
  bad('no process is left', ({ left }) => left.length > 0);
}

/** Ctrl-C while the slowest of them are read. */
async function interrupted(bench: Bench, seine: Seine, measured: readonly Measured[]): Promise<void> {
  const slowest = measured.toSorted((a, b) => b.seconds - a.seconds).slice(0, INTERRUPTED);
  for (const { file } of slowest) {
    const { path } = written(bench, file);
    const running = seine.start(['scan', path, '--full', '--quiet']);
    const tree = watchTree(running.pid);
    await Promise.race([sleep(INTERRUPT_AFTER_MS), running.ended]);
    process.kill(running.pid, 'SIGINT');
    await running.ended;
    tree.stop();
    const left = await survivors(tree.seen(), WAIT_TIMEOUT_MS);
    bench.check(left.length === 0, `Ctrl-C leaves no process behind: ${file.what} ${left.join(', ')}`.trim());
    rmSync(path);
  }
}
