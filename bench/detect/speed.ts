/** One core: all detectors against others with 29 of them, in turns over the same files. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createScanner } from '../../src/detection/scanner.ts';
import type { TextContext } from '../../src/detection/spans.ts';
import { type Bench, scaled } from '../benchmark.ts';
import { count, median, megabytes, table } from '../figures.ts';
import { buildHyperscan } from './build-hyperscan.ts';
import { checkMinimum } from './check-minimum.ts';
import { COMPETITOR_PATTERNS } from './competitor-patterns.ts';
import { type Competitor, hyperscan, type Measured, regExps, ripgrep } from './competitors.ts';
import type { DataFile } from './data-files.ts';
import { COMPARED_DETECTORS, COMPETITOR_IDS, EVERY, patternsOf, USUAL } from './detectors.ts';
import { NAMED_FROM_AFAR, PLAIN_TEXT, scanFile } from './scan-file.ts';

interface Candidate extends Competitor {
  /** By which it is known among the ratios. */
  readonly role: Role;
  readonly measured: Measured[];
}

type Role = 'usual' | 'every' | 'ours' | 'rg' | 'hyperscan' | 'regexps' | 'other';

/** How many times as fast as them. */
const ASKED = { rg: 2.5, hyperscan: 3, regexps: 30 } as const;
/** Aimed at, for one core. */
const AIM = 1500;

export async function measureSpeed(bench: Bench, files: readonly DataFile[]): Promise<void> {
  bench.log(`  ${USUAL.length} of ${EVERY.length} detectors are on by default; all are measured.`);
  bench.log(`  Others search for the equivalents of ${COMPETITOR_IDS.length}: ${COMPETITOR_IDS.join(' ')}`);
  bench.log(
    '  Theirs are expressions without checks: they find more, and know less of it. Ours includes reading from the page cache,',
  );
  bench.log(
    '  rg too; Hyperscan and the RegExps have the data in memory. Values are labelled on their own line, unless noted.',
  );
  const candidates = ofAll(bench);
  for (const file of files) await compareOn(bench, file, candidates);
}

async function compareOn(bench: Bench, file: DataFile, candidates: readonly Candidate[]): Promise<void> {
  for (const candidate of candidates) {
    candidate.measured.length = 0;
    await candidate.measure(file.path, file.bytes); // not counted: page cache, compiled code
  }
  for (let n = 0; n < bench.runs; n++) {
    for (const candidate of candidates)
      candidate.measured.push(await candidate.measure(file.path, file.bytes));
  }
  bench.log();
  bench.log(`  ${file.name}: ${megabytes(file.bytes)}; medians of ${bench.runs} runs in turns`);
  const usual = rate(candidates, 'usual');
  const rows = candidates.map((candidate) => {
    const own = rateOf(candidate);
    return [candidate.name, own.toFixed(own < 100 ? 1 : 0), times(usual / own), count(foundBy(candidate))];
  });
  bench.log(table([['', 'MB/s', 'ours is', 'found'], ...rows], '    '));
  logRatios(bench, file, candidates);
}

function logRatios(bench: Bench, file: DataFile, candidates: readonly Candidate[]): void {
  for (const [ours, whose] of [
    ['usual', 'detectors that are on by default'],
    ['every', 'every detector there is'],
  ] as const) {
    const own = rate(candidates, ours);
    const against = (role: keyof typeof ASKED, name: string) =>
      checkMinimum(`${file.name}, ${whose}, against ${name}`, own / rate(candidates, role), ASKED[role], 'x');
    bench.log(`    ${against('rg', 'rg')}`);
    bench.log(`    ${against('hyperscan', 'Hyperscan')}`);
    bench.log(`    ${against('regexps', 'the same kinds as RegExps')}`);
    bench.log(
      `    ${file.name}, ${whose}: ${own.toFixed(0)} MB/s, aimed at ${AIM} MB/s: ${own >= AIM ? 'met' : 'not met'}`,
    );
  }
}

function ofAll(bench: Bench): Candidate[] {
  const patterns = join(bench.folder, 'competitor-patterns');
  const expressions = Object.values(COMPETITOR_PATTERNS);
  writeFileSync(patterns, `${expressions.join('\n')}\n`);
  const competitors = (role: Role, ...all: (Competitor | null)[]): Candidate[] =>
    all.filter((one) => one !== null).map((competitor) => ({ ...competitor, role, measured: [] }));
  const program = buildHyperscan(bench);
  const every = patternsOf(USUAL);
  return [
    ours('usual', `seine, ${USUAL.length} detectors`, USUAL, PLAIN_TEXT),
    ours('every', `seine, ${EVERY.length} detectors`, EVERY, PLAIN_TEXT),
    ours('ours', `seine, ${USUAL.length}, values may be named from afar`, USUAL, NAMED_FROM_AFAR),
    ours('ours', `seine, only those ${COMPARED_DETECTORS.length}`, COMPARED_DETECTORS, PLAIN_TEXT),
    ...competitors('rg', ripgrep(bench, patterns)),
    ...competitors('hyperscan', program === null ? null : hyperscan(program, patterns, 'end')),
    ...competitors('other', program === null ? null : hyperscan(program, patterns, 'start')),
    ...competitors(
      'regexps',
      regExps(`${expressions.length} RegExps`, expressions, scaled(bench, 24e6, 2e6)),
    ),
    ...competitors('other', regExps(`${every.length} RegExps`, every, scaled(bench, 2e6, 4e5))),
  ];
}

function ours(role: Role, name: string, detectors: typeof USUAL, context: TextContext): Candidate {
  const scanner = createScanner(detectors);
  return {
    role,
    name,
    measured: [],
    async measure(path, bytes) {
      const began = performance.now();
      const found = scanFile(scanner, path, context);
      return { seconds: (performance.now() - began) / 1000, bytes, found };
    },
  };
}

/** MB/s of the one with that role; not a number where it is missing. */
function rate(candidates: readonly Candidate[], role: Role): number {
  const one = candidates.find((candidate) => candidate.role === role);
  return one === undefined ? Number.NaN : rateOf(one);
}

function rateOf({ measured }: Candidate): number {
  return median(measured.map(({ bytes, seconds }) => bytes / 1e6 / seconds));
}

function foundBy({ measured }: Candidate): number {
  return measured[0]?.found ?? 0;
}

function times(ratio: number): string {
  return `${ratio.toFixed(ratio < 10 ? 2 : 1)}x`;
}
