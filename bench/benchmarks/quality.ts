/** What detection finds of what people marked, and what it invents. The corpora are no part of the project: `quality FOLDER`. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Benchmark } from '../benchmark.ts';
import { scoreColumns } from '../quality/columns.ts';
import { countFalsePositives, countRandomDigits } from '../quality/negatives.ts';
import { scoreSentences } from '../quality/sentences.ts';

export const quality: Benchmark = {
  name: 'quality',
  about:
    'precision and recall on labelled data (quality FOLDER: sentences.json, table-columns.json), and false findings',
  async run(bench) {
    const { corpora } = bench;
    if (corpora === null)
      bench.log('  no folder with labelled data was named: only what is found where nothing is');
    else {
      if (existsSync(join(corpora, 'sentences.json'))) scoreSentences(bench, corpora);
      if (existsSync(join(corpora, 'table-columns.json'))) scoreColumns(bench, corpora);
    }
    countRandomDigits(bench);
    countFalsePositives(bench);
  },
};
