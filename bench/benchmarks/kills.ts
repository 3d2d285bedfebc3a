/** Twenty kills at random moments, each followed by a resume: the same findings, and every file accounted for. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Random } from '../../examples/generator/random.ts';
import { type Bench, type Benchmark, scaled } from '../benchmark.ts';
import { makeTree, type Tree } from '../corpus/tree.ts';
import { type Digest, digestOf } from '../digest.ts';
import { count, median, seconds } from '../figures.ts';
import { Seine } from '../seine.ts';
import { takeoverWatch } from '../takeover.ts';

const KILLS = 20;
/** A life lasts at most this part of an undisturbed scan, so that several kills fall into each scan. */
const MAX_LIFE_SHARE = 0.4;

export const kills: Benchmark = {
  name: 'kills',
  about: `${KILLS} kills at random moments, each followed by a resume: digest, ledger, time to take over`,
  async run(bench) {
    const plan = { files: scaled(bench, 60_000, 500), sizes: [200, 1500], plantedRate: 0.01 } as const;
    const tree = makeTree(join(bench.trees, 'kills'), { ...plan, seed: bench.seed });
    const seine = new Seine(bench, 'kills');
    await seine.run(['scan', tree.folder, '--full', '--quiet']); // makes the database
    const calm = await seine.run(['scan', tree.folder, '--full', '--quiet']);
    const expected = await inspect(bench, seine, tree, 'undisturbed');
    bench.log(
      `  undisturbed: ${seconds(calm.seconds)}, ${count(expected.findings)} findings, digest ${expected.sha256}`,
    );
    await killRepeatedly(bench, seine, tree, expected, calm.seconds);
    await seine.stopped();
  },
};

/** Scans with kills until there were twenty; a scan that completes is compared, and the next one started. */
async function killRepeatedly(
  bench: Bench,
  seine: Seine,
  tree: Tree,
  expected: Digest,
  calm: number,
): Promise<void> {
  const random = new Random(bench.seed, 'kills');
  const takeover = await takeoverWatch(seine);
  const lives: string[] = [];
  let killed = 0;
  let words = ['scan', tree.folder, '--full', '--quiet'];
  while (words.length > 0) {
    const life = killed < KILLS ? random.next() * calm * MAX_LIFE_SHARE : Number.POSITIVE_INFINITY;
    const running = seine.start(words);
    takeover.begin(running.pid, words[0] === 'resume');
    const ended = await Promise.race([running.ended, ...(life < 1e6 ? [sleep(life * 1000)] : [])]);
    takeover.end();
    if (!ended) {
      process.kill(running.pid, 'SIGKILL');
      await running.ended;
      killed++;
      lives.push(life.toFixed(2));
    } else if (ended.code !== 0) {
      bench.check(false, `seine ${words.join(' ')} ended with ${ended.code}: ${ended.stderr.trim()}`);
      break;
    }
    words = await next(bench, seine, tree, expected, killed);
  }
  await takeover.close();
  bench.log(`  ${killed} kills, after ${lives.join(' ')} s of life (seed ${bench.seed})`);
  bench.log(
    `  from the start of a resume to its first lease: median ${seconds(median(takeover.times))}, longest ${seconds(Math.max(...takeover.times))} (${takeover.times.length} that lived so long)`,
  );
}

/** What to run now; nothing when all is done. */
async function next(
  bench: Bench,
  seine: Seine,
  tree: Tree,
  expected: Digest,
  killed: number,
): Promise<string[]> {
  const newest = (await seine.newest())!;
  if (!['completed', 'incomplete', 'failed'].includes(newest.status)) return ['resume', '--quiet'];
  // If a process is killed before its scan is created, the previous one is still the newest; it was already compared.
  await bench.shared(`scan ${newest.id} compared`, async () => {
    const { sha256 } = await inspect(bench, seine, tree, `scan ${newest.id}`);
    bench.check(sha256 === expected.sha256, `scan ${newest.id}: the digest is that of the undisturbed scan`);
  });
  return killed < KILLS ? ['scan', tree.folder, '--full', '--quiet'] : [];
}

async function inspect(bench: Bench, seine: Seine, tree: Tree, what: string): Promise<Digest> {
  const { id, status } = (await seine.newest())!;
  const output = join(bench.folder, 'kills.jsonl');
  await seine.run(['show', String(id), '--quiet', '--output', output]);
  const { listed, ledgered } = await seine.coverage(id);
  bench.check(status === 'completed', `${what}: completed`);
  bench.check(listed === tree.files, `${what}: ${count(listed)} listed of ${count(tree.files)} files`);
  bench.check(ledgered === listed, `${what}: the ledger equals the listing`);
  return digestOf(output);
}
