/** What is scanned: text made for it with no, few and many values in it, and files of this machine. */
import { join } from 'node:path';
import { type Bench, scaled } from '../benchmark.ts';
import { count, megabytes } from '../figures.ts';
import { makeMixedText } from './mixed-text.ts';
import { listRealText, makeRealText } from './real-text.ts';

export interface DataFile {
  readonly name: string;
  readonly path: string;
  readonly bytes: number;
}

const SIZE = 256 * 2 ** 20;
const DENSITIES = [0, 0.001, 0.05];

export async function dataFiles(bench: Bench): Promise<DataFile[]> {
  return bench.shared('detect', async () => [...makeMixed(bench), ...makeReal(bench)]);
}

/** The one with many. */
export async function denseData(bench: Bench): Promise<DataFile> {
  return (await dataFiles(bench))[2]!;
}

function makeMixed(bench: Bench): DataFile[] {
  return DENSITIES.map((plantedRate) => {
    const name = `made, ${plantedRate * 100} % of lines`;
    const path = join(bench.trees, `mixed-${plantedRate}.txt`);
    const made = makeMixedText(path, { bytes: scaled(bench, SIZE), seed: bench.seed, plantedRate });
    bench.log(
      `  ${name}: ${megabytes(made.bytes)} of logs, prose, JSON, CSV, code, YAML, other scripts, base64, minified code, hashes; ${count(made.planted)} planted values`,
    );
    return { name, path, bytes: made.bytes };
  });
}

function makeReal(bench: Bench): DataFile[] {
  const all = listRealText(bench.seed);
  return (['looked at', 'held out'] as const).map((part) => {
    const path = join(bench.trees, `real-${part.replace(' ', '-')}.txt`);
    const made = makeRealText(path, all, part, scaled(bench, SIZE));
    const name = `real files, ${part}`;
    bench.log(`  ${name}: ${count(made.files)} files, ${megabytes(made.bytes)}: ${made.kinds}`);
    return { name, path, bytes: made.bytes };
  });
}
