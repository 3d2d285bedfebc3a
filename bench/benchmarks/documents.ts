/** Text extraction from documents: throughput, memory, and comparison with competitors. */
import type { Benchmark } from '../benchmark.ts';
import { installCompetitors } from '../competitors.ts';
import { ARCHIVE_SETS } from '../documents/archive-sets.ts';
import { compareSet, HEAD } from '../documents/compare.ts';
import { DATA_SETS } from '../documents/data-sets.ts';
import { MAIL_SETS } from '../documents/mail-sets.ts';
import { OFFICE_SETS } from '../documents/office-sets.ts';
import { PDF_SETS } from '../documents/pdf-sets.ts';
import { PICTURE_SETS } from '../documents/picture-sets.ts';
import type { DocumentSet } from '../documents/set.ts';
import { table } from '../figures.ts';

const SETS: readonly DocumentSet[] = [
  ...[PDF_SETS, ARCHIVE_SETS, OFFICE_SETS, DATA_SETS, MAIL_SETS, PICTURE_SETS].flat(),
];

export const documents: Benchmark = {
  name: 'documents',
  about: `documents to text, against others (--only ${[...new Set(SETS.map(({ format }) => format))].join(',')})`,
  runs: 3,
  async run(bench) {
    const sets = SETS.filter(({ format }) => bench.only.length === 0 || bench.only.includes(format));
    installCompetitors('documents', (line) => bench.log(`  ${line}`));
    for (const line of ABOUT) bench.log(`  ${line}`);
    const rows: string[][] = [];
    for (const set of sets) rows.push(...(await compareSet(bench, set, `${set.format}, ${set.about}`)));
    bench.log();
    const competitors = new Set(sets.flatMap((set) => set.competitors));
    for (const competitor of competitors)
      if ((await competitor.missing()) === null) bench.log(`  ${competitor.version()}`);
    bench.log(`  medians of ${bench.runs} runs in turns, files in the page cache:`);
    bench.log(table([HEAD, ...rows]));
  },
};

const ABOUT = [
  'Ours is one thread with the process beside it that reads documents, as a scan has one for each core; up and running: what the',
  'first document costs in a new process is shown separately. "Of text" is what came out, "with detection" includes all',
  'detectors. Programs are started for each file, as in a shell; libraries are loaded before the clock starts.',
  'The processor time of a document (CPU ms) counts where other cores read other documents: all threads and processes, ours and theirs.',
  'In archives the members count. "text" is how much of ours the competitor gave.',
];
