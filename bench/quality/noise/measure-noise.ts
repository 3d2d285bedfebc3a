/** How much is reported in trees of public software and documentation, and how much of it is right. */
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Bench } from '../../benchmark.ts';
import { count, megabytes, table } from '../../figures.ts';
import { type NoiseScan, scanCopies } from './findings.ts';
import { type Stratum, strataOf, weightedPrecision, wilson } from './precision.ts';
import { printReview, printSample } from './review.ts';
import { type CopiedFile, copyTree, type TreeKind, treesOf } from './trees.ts';
import { mergeVerdicts, readVerdicts } from './verdicts.ts';

const KINDS: readonly TreeKind[] = ['code', 'docs', 'folder'];
const TIERS = ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW', 'MINIMAL'];
const SAMPLE = 20;

export async function measureNoise(bench: Bench): Promise<void> {
  if (bench.judged !== null) {
    const { added, skipped } = mergeVerdicts(bench.judged);
    bench.log(`  ${added} verdicts merged, ${skipped} lines without a verdict passed over`);
    return;
  }
  const folder = join(bench.trees, 'noise');
  mkdirSync(folder, { recursive: true });
  const copies = copyTrees(bench, folder);
  const scan = await scanCopies(bench, folder);
  const verdicts = readVerdicts();
  if (bench.review > 0) {
    printReview(bench, scan, verdicts, bench.review);
    return;
  }
  bench.log(`  ${count(scan.inMaskedNames)} findings left out: reports mask the names of their files`);
  const present = new Set(scan.findings.map(({ fingerprint }) => fingerprint));
  const matching = [...verdicts.keys()].filter((fingerprint) => present.has(fingerprint)).length;
  bench.log(`  ${count(matching)} of ${count(verdicts.size)} verdicts are about findings of this scan`);
  const strata = strataOf(scan.findings, verdicts);
  for (const kind of KINDS) {
    const ofKind = copies.filter(({ path }) => path.startsWith(`${kind}/`));
    if (ofKind.length === 0) continue;
    const ofStrata = strata.filter((stratum) => stratum.kind === kind);
    printKind(bench, kind, ofKind, ofStrata, scan);
  }
  printSample(bench, scan, SAMPLE);
}

function copyTrees(bench: Bench, folder: string): CopiedFile[] {
  const seen = new Set<string>();
  const labelled = (given: string) =>
    existsSync(join(given, 'sentences.json')) || existsSync(join(given, 'table-columns.json'));
  return treesOf(bench.folders.filter((given) => !labelled(given))).flatMap((tree) => {
    const copied = copyTree(tree, folder, bench.scale, seen);
    bench.log(
      `  ${tree.name}: ${count(copied.length)} text files, ${megabytes(sizeOf(copied))} (${tree.kind})`,
    );
    return copied;
  });
}

function printKind(
  bench: Bench,
  kind: string,
  files: readonly CopiedFile[],
  strata: readonly Stratum[],
  { tiers }: NoiseScan,
): void {
  const bytes = sizeOf(files);
  const { findings, represented, falseOnes, precision } = weightedPrecision(strata);
  const perMegabyte = (number: number) => ((number * 1e6) / bytes).toFixed(2);
  bench.log(`\n  ${kind}: ${count(files.length)} files, ${megabytes(bytes)}`);
  bench.log(
    table([
      ['', 'findings', 'per MB', 'judged', 'true', 'author', 'example', 'false', 'precision', '95 %'],
      ...strata.map((stratum) => detectorRow(stratum, perMegabyte)),
    ]),
  );
  bench.log(`  ${count(findings)} findings, ${perMegabyte(findings)} per MB`);
  if (represented > 0)
    bench.log(
      `  precision weighted by findings ${precision.toFixed(3)} (detectors that were judged: ${count(represented)} findings); ` +
        `false findings ${perMegabyte(falseOnes)} per MB`,
    );
  bench.log(`  files by tier: ${tierShares(files, tiers)}`);
  bench.log('  causes of the false ones among those that were judged');
  for (const { detector, causes } of strata) {
    const shown = causes.map(([note, number]) => `${note} (${number})`).join('; ');
    if (shown !== '') bench.log(`    ${detector.padEnd(24)}${shown}`);
  }
}

function detectorRow(
  { detector, findings, judged, verdicts, precision }: Stratum,
  perMegabyte: (number: number) => string,
): string[] {
  const [low, high] = wilson(judged - verdicts.false, judged);
  const counts = [judged, verdicts.true, verdicts.authorship, verdicts.example, verdicts.false];
  const shares =
    precision === null ? ['–', ''] : [precision.toFixed(2), `${low.toFixed(2)}–${high.toFixed(2)}`];
  return [detector, count(findings), perMegabyte(findings), ...counts.map(String), ...shares];
}

function tierShares(files: readonly CopiedFile[], tiers: ReadonlyMap<string, string>): string {
  const counts = new Map<string, number>();
  for (const { path } of files) {
    const tier = tiers.get(path) ?? 'without findings';
    counts.set(tier, (counts.get(tier) ?? 0) + 1);
  }
  return [...TIERS, 'without findings']
    .map((tier) => {
      const number = counts.get(tier) ?? 0;
      return `${tier} ${count(number)} (${((100 * number) / files.length).toFixed(1)} %)`;
    })
    .join(', ');
}

function sizeOf(files: readonly CopiedFile[]): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0);
}
