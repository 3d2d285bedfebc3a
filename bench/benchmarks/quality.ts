/** What detection finds of what people marked, and what it invents. The corpora are no part of the project: `quality FOLDER`. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Bench, Benchmark } from '../benchmark.ts';
import { scoreColumns } from '../quality/columns.ts';
import { countFalsePositives, countRandomDigits } from '../quality/negatives.ts';
import { measureNoise } from '../quality/noise/measure-noise.ts';
import { scoreSentences } from '../quality/sentences.ts';
import { measureServices } from '../quality/services.ts';
import { measureTables } from '../quality/tables/measure-tables.ts';

const PARTS: Readonly<Record<string, (bench: Bench) => void | Promise<void>>> = {
  labelled: scoreLabelled,
  digits: countRandomDigits,
  negatives: countFalsePositives,
  tables: measureTables,
  noise: measureNoise,
  services: measureServices,
};

export const quality: Benchmark = {
  name: 'quality',
  about:
    'precision and recall on labelled data (quality FOLDER: sentences.json, table-columns.json), and false findings',
  async run(bench) {
    for (const [name, measure] of Object.entries(PARTS))
      if (bench.only.length === 0 || bench.only.includes(name)) await measure(bench);
  },
};

function scoreLabelled(bench: Bench): void {
  const { corpora } = bench;
  if (corpora === null) {
    bench.log('  no folder with labelled data was named: only what is found where nothing is');
    return;
  }
  if (existsSync(join(corpora, 'sentences.json'))) scoreSentences(bench, corpora);
  if (existsSync(join(corpora, 'table-columns.json'))) scoreColumns(bench, corpora);
}
