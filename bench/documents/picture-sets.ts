import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { scaled } from '../benchmark.ts';
import { writePdfs } from './pdf-sets.ts';
import type { DocumentSet } from './set.ts';
import { tesseract } from './shell-competitors.ts';

const DOTS_PER_INCH = 150;

export const PICTURE_SETS: readonly DocumentSet[] = [
  {
    format: 'png',
    about: `scanned pages, ${DOTS_PER_INCH} dpi, by OCR`,
    // Pages are drawn by poppler, which needs a font for them.
    needs: ['poppler-utils', 'fonts-urw-base35'],
    ocr: true,
    async make(folder, bench) {
      const drawn = join(bench.folder, 'drawn');
      mkdirSync(drawn);
      const pages = scaled(bench, 4, 2);
      await writePdfs(drawn, bench, [pages]);
      const words = ['-r', `${DOTS_PER_INCH}`, '-gray', '-png', join(drawn, '0.pdf'), join(folder, 'page')];
      const { status, stderr } = spawnSync('pdftoppm', words);
      if (status !== 0) throw new Error(`pdftoppm: ${stderr}`);
      return pages;
    },
    competitors: [tesseract],
  },
];
