import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Random } from '../../examples/generator/random.ts';
import { lines, PdfFixture } from '../../src/extraction/documents/pdf/pdf.fixture.ts';
import { type Bench, scaled } from '../benchmark.ts';
import { prose } from './content.ts';
import type { DocumentSet } from './set.ts';
import { pdftotext } from './shell-competitors.ts';

const LINES = 44;
const LINE_CHARACTERS = 72;
const LONG = [50, 75, 100, 125, 150, 175, 200] as const;
/** So often each: seven documents are read before a process has warmed up, and a scan reads thousands. */
const TIMES = 4;

export const PDF_SETS: readonly DocumentSet[] = [
  {
    format: 'pdf',
    about: 'one page each',
    make: (folder, bench) => writePdfs(folder, bench, Array(scaled(bench, 600, 10)).fill(1)),
    competitors: [pdftotext],
  },
  {
    format: 'pdf',
    about: `of ${LONG[0]} to ${LONG.at(-1)} pages`,
    make: (folder, bench) =>
      writePdfs(
        folder,
        bench,
        Array(TIMES)
          .fill(LONG)
          .flat()
          .map((pages: number) => scaled(bench, pages)),
      ),
    competitors: [pdftotext],
  },
];

/** So many pages each. */
export async function writePdfs(folder: string, bench: Bench, pages: readonly number[]): Promise<number> {
  const random = new Random(bench.seed, 'pdf');
  for (const [n, count] of pages.entries()) writeFileSync(join(folder, `${n}.pdf`), pdf(random, count));
  return pages.length;
}

function pdf(random: Random, pages: number): Buffer {
  const document = new PdfFixture();
  document.compressed = true;
  const text = Array.from({ length: pages }, () => ({ content: lines(...wrapped(random)) }));
  return document.build(document.pages(text));
}

/** Broken between words, as a page is. */
function wrapped(random: Random): string[] {
  const text = prose(random, LINES * LINE_CHARACTERS).replaceAll('\n', ' ');
  const width = new RegExp(`.{1,${LINE_CHARACTERS}}(?: |$)`, 'g');
  return (text.match(width) ?? []).slice(0, LINES).map((line) => line.trimEnd());
}
