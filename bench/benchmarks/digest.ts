/** The same findings, whatever the number of threads. */
import { join } from 'node:path';
import type { Benchmark } from '../benchmark.ts';
import { type Digest, digestOf } from '../digest.ts';
import { count, table } from '../figures.ts';
import { Seine } from '../seine.ts';
import { smallTree } from './small.ts';

const THREADS = [1, 2, 8];

export const digest: Benchmark = {
  name: 'digest',
  about: 'the findings digest with 1, 2 and 8 detection threads',
  async run(bench) {
    const tree = await smallTree(bench);
    const seine = new Seine(bench, 'digest');
    const output = join(bench.folder, 'digest.jsonl');
    const digests: Digest[] = [];
    for (const threads of THREADS) {
      await seine.run([
        'scan',
        tree.folder,
        '--full',
        '--quiet',
        '--threads',
        `${threads}`,
        '--output',
        output,
      ]);
      digests.push(await digestOf(output));
    }
    const rows = digests.map(({ sha256, findings }, n) => [`${THREADS[n]}`, sha256, count(findings)]);
    bench.log(table([['threads', 'SHA-256 of the sorted findings', 'findings'], ...rows]));
    bench.check(new Set(digests.map(({ sha256 }) => sha256)).size === 1, 'the digests are equal');
    bench.check(digests[0]!.findings > 0, 'there are findings');
    await seine.stopped();
  },
};
