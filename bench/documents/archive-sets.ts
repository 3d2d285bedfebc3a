import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Random } from '../../examples/generator/random.ts';
import { tarOf } from '../../src/extraction/archives/tar/tar.fixture.ts';
import { zipOf } from '../../src/extraction/archives/zip/zip.fixture.ts';
import { type Bench, scaled } from '../benchmark.ts';
import { prose } from './content.ts';
import type { DocumentSet } from './set.ts';
import { bsdtar, unzip } from './shell-competitors.ts';

const ARCHIVES = 8;
const SIZES = [1000, 40_000] as const;

interface Member {
  readonly name: string;
  readonly data: string;
}

export const ARCHIVE_SETS: readonly DocumentSet[] = [
  inCode('zip', (members) => zipOf(members), [bsdtar, unzip]),
  inCode('tar.gz', (members) => gzipSync(tarOf(members)), [bsdtar]),
  byBsdtar('tar.xz', ['-cJf']),
  byBsdtar('7z', ['--format', '7zip', '--options', '7zip:compression=lzma2', '-cf']),
];

function inCode(
  format: string,
  pack: (members: readonly Member[]) => Buffer,
  competitors: DocumentSet['competitors'],
): DocumentSet {
  return {
    format,
    about: 'text files in archives',
    async make(folder, bench) {
      return eachArchive(bench, (members, n) => writeFileSync(join(folder, `${n}.${format}`), pack(members)));
    },
    competitors,
  };
}

function byBsdtar(format: string, how: readonly string[]): DocumentSet {
  return {
    format,
    about: 'text files in archives',
    needs: ['libarchive-tools'],
    async make(folder, bench) {
      const loose = join(bench.folder, `loose-${format}`);
      return eachArchive(bench, (members, n) => {
        mkdirSync(loose);
        for (const { name, data } of members) writeFileSync(join(loose, name), data);
        const { status, stderr } = spawnSync('bsdtar', [
          ...how,
          join(folder, `${n}.${format}`),
          '-C',
          loose,
          '.',
        ]);
        if (status !== 0) throw new Error(`bsdtar: ${stderr}`);
        rmSync(loose, { recursive: true });
      });
    },
    competitors: [bsdtar],
  };
}

/** The same files in every format. */
function eachArchive(bench: Bench, write: (members: readonly Member[], n: number) => void): number {
  const random = new Random(bench.seed, 'archives');
  const count = scaled(bench, 1000, 20);
  for (let n = 0; n < ARCHIVES; n++) {
    const names = Array.from({ length: count }, (_, i) => `note-${String(i).padStart(4, '0')}.txt`);
    write(
      names.map((name) => ({ name, data: prose(random, random.int(...SIZES)) })),
      n,
    );
  }
  return ARCHIVES * count;
}
