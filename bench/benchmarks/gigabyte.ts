/** A gigabyte of text, in 200 files and in one. */
import { join } from 'node:path';
import { type Benchmark, scaled } from '../benchmark.ts';
import { compare } from '../compare.ts';
import { makeLargeFile, makeTree } from '../corpus/tree.ts';
import { profileScan } from '../profile-scan.ts';
import { Seine } from '../seine.ts';

const RATE = 0.001;
const FILE = 5_000_000;

export const gigabyte: Benchmark = {
  name: 'gigabyte',
  about: '1 GB of mixed text in 200 files, and in a single one, against ripgrep',
  async run(bench) {
    const seine = new Seine(bench, 'gigabyte');
    const files = scaled(bench, 200, 4);
    const sizes = [FILE * 0.8, FILE * 1.2] as const;
    const plan = { files, sizes, seed: bench.seed, plantedRate: RATE };
    const tree = makeTree(join(bench.trees, 'gigabyte'), plan);
    await compare(bench, seine, tree);
    await profileScan(bench, seine, tree);
    bench.log();
    bench.log('  one file');
    const size = scaled(bench, 1e9, 1e6);
    await compare(bench, seine, makeLargeFile(join(bench.trees, 'single'), size, bench.seed, RATE));
    await seine.stopped();
  },
};
