/** Detection alone: throughput, competitors, scaling with cores, worst cases; and whether the kernel finds what the reference finds. */
import type { Bench, Benchmark } from '../benchmark.ts';
import { dataFiles, denseData } from '../detect/data-files.ts';
import { countDifferences } from '../detect/differences.ts';
import { measureSmallFiles } from '../detect/small-files.ts';
import { measureSpeed } from '../detect/speed.ts';
import { measureTwoCores } from '../detect/two-cores.ts';
import { measureWideText } from '../detect/wide-text.ts';
import { measureWorstCases } from '../detect/worst-cases.ts';
import { smallTree } from './small.ts';

/** The slow comparison comes last: what it makes the compiler forget is measured no more. */
const PARTS: Readonly<Record<string, (bench: Bench) => Promise<void>>> = {
  speed: async (bench) => measureSpeed(bench, await dataFiles(bench)),
  cores: measureTwoCores,
  small: async (bench) => measureSmallFiles(bench, await smallTree(bench)),
  worst: measureWorstCases,
  wide: async (bench) => measureWideText(bench, await denseData(bench)),
  differences: countDifferences,
};

export const detect: Benchmark = {
  name: 'detect',
  about: `detection alone: competitors, two cores, small files, worst cases, UTF-16, fuzzing (--only ${Object.keys(PARTS).join(',')})`,
  async run(bench) {
    for (const [name, measure] of Object.entries(PARTS)) {
      if (bench.only.length > 0 && !bench.only.includes(name)) continue;
      bench.log(`\n  ── ${name}`);
      await measure(bench);
    }
  },
};
