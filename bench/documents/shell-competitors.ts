/** Programs of Debian that others read such files with, as one would type them: their output is counted and thrown away. */
import { spawnSync } from 'node:child_process';
import { ensurePackages } from '../../test/support/servers/apt.ts';
import { run } from '../command.ts';
import type { Competitor } from './set.ts';

interface Program {
  readonly name: string;
  /** The Debian package that it is in. */
  readonly from: readonly string[];
  readonly version: readonly string[];
  /** Shell command that prints the text of the file $f. */
  readonly each: string;
}

export const pdftotext: Competitor = shellCompetitor({
  name: 'pdftotext',
  from: ['poppler-utils'],
  version: ['pdftotext', '-v'],
  each: 'pdftotext -q "$f" -',
});

export const bsdtar: Competitor = shellCompetitor({
  name: 'bsdtar',
  from: ['libarchive-tools'],
  version: ['bsdtar', '--version'],
  each: 'bsdtar -xOf "$f"',
});

export const unzip: Competitor = shellCompetitor({
  name: 'unzip',
  from: ['unzip'],
  version: ['unzip', '-v'],
  each: 'unzip -p "$f"',
});

export const tesseract: Competitor = shellCompetitor({
  name: 'tesseract',
  from: ['tesseract-ocr', 'tesseract-ocr-eng'],
  version: ['tesseract', '--version'],
  each: 'tesseract "$f" - -l eng 2>/dev/null',
});

/** A process for each file, one after another: its start is part of how it is used. */
function shellCompetitor({ name, from, version, each }: Program): Competitor {
  const shown = (folder: string) => `for f in ${folder}/*; do ${each}; done | wc -c`;
  return {
    name,
    missing: () => ensurePackages(from),
    version: () => firstLine(version),
    shown,
    async measure(folder) {
      const { code, stdout, stderr, seconds } = await run(['/bin/sh', '-c', `${shown(folder)}; times`]);
      if (code !== 0 || stderr !== '') throw new Error(`${name}: ${stderr}`);
      const [bytes, ...cpu] = stdout.trim().split(/\s+/);
      return { seconds, cpuSeconds: shellSeconds(cpu), textBytes: Number(bytes) };
    },
  };
}

/** What `times` says of the shell and of what it started, each as 0m1.25s. */
function shellSeconds(times: readonly string[]): number {
  return times.reduce((sum, time) => {
    const [minutes, seconds] = time.split('m');
    return sum + 60 * Number(minutes) + Number.parseFloat(seconds!);
  }, 0);
}

/** Some print their version on stderr. */
function firstLine([program, ...words]: readonly string[]): string {
  const { stdout, stderr } = spawnSync(program!, words, { encoding: 'utf8' });
  return `${stdout}${stderr}`.split('\n')[0] ?? '';
}
