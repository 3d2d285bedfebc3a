import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Random } from '../../examples/generator/random.ts';
import { zipOf } from '../../src/extraction/archives/zip/zip.fixture.ts';
import { excelFiles, rowXml, sheetXml } from '../../src/extraction/documents/office/excel/excel.fixture.ts';
import { paragraph, wordFiles } from '../../src/extraction/documents/office/word.fixture.ts';
import { type Bench, scaled } from '../benchmark.ts';
import { COLUMNS, customerRows, sentences } from './content.ts';
import { officeparser } from './module-competitors.ts';
import type { DocumentSet } from './set.ts';

const PARAGRAPHS = 300;

export const OFFICE_SETS: readonly DocumentSet[] = [
  {
    format: 'docx',
    about: `${PARAGRAPHS} paragraphs each`,
    make: (folder, bench) => write(folder, bench, 'docx', scaled(bench, 300, 5), letter),
    competitors: [officeparser],
  },
  {
    format: 'xlsx',
    about: '1,000 rows each',
    make: (folder, bench) =>
      write(folder, bench, 'xlsx', scaled(bench, 100, 3), (random) => workbook(random, 1000)),
    competitors: [officeparser],
  },
  {
    format: 'xlsx',
    about: '100,000 rows',
    make: (folder, bench) =>
      write(folder, bench, 'xlsx', 1, (random) => workbook(random, scaled(bench, 100_000, 1000))),
    competitors: [officeparser],
  },
];

async function write(
  folder: string,
  bench: Bench,
  format: string,
  count: number,
  make: (random: Random) => Buffer,
): Promise<number> {
  const random = new Random(bench.seed, format);
  for (let n = 0; n < count; n++) writeFileSync(join(folder, `${n}.${format}`), make(random));
  return count;
}

function letter(random: Random): Buffer {
  return zipped(wordFiles(sentences(random, PARAGRAPHS).map(paragraph).join('')));
}

function workbook(random: Random, rows: number): Buffer {
  const strings: string[] = [];
  const all = [[...COLUMNS], ...customerRows(random, rows)];
  const xml = all.map((cells, i) => rowXml(i + 1, cells, strings)).join('');
  return zipped(excelFiles({ Customers: sheetXml(xml) }, strings));
}

/** As Office does it: every part compressed. */
function zipped(files: Readonly<Record<string, string | Uint8Array>>): Buffer {
  const declared = (data: string | Uint8Array) =>
    typeof data === 'string' ? `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\r\n${data}` : data;
  return zipOf(Object.entries(files).map(([name, data]) => ({ name, data: declared(data) })));
}
