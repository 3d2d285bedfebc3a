/** Chooses findings to judge: the same share of every detector and kind of tree, at random, always the same ones. */
import { createHash } from 'node:crypto';
import type { Bench } from '../../benchmark.ts';
import { contextOf, type NoiseFinding, type NoiseScan } from './findings.ts';
import type { Judged } from './verdicts.ts';

const AROUND = 60;

/** Lines of JSON; a reviewer sets `verdict` and `note`, and `--judge FILE` merges them. */
export function printReview(
  bench: Bench,
  scan: NoiseScan,
  verdicts: ReadonlyMap<string, Judged>,
  lines: number,
): void {
  for (const finding of chooseUnjudged(scan.findings, verdicts, lines)) {
    const { fingerprint, kind, detector, confidence, path, line } = finding;
    const place = { fingerprint, kind, detector, confidence, path, line };
    bench.log(JSON.stringify({ ...place, ...contextOf(scan, finding, AROUND), verdict: null, note: '' }));
  }
}

/**
 * In the order of their fingerprints, which are hashes: what is judged of a detector is a random sample of its
 * findings, and stays one when detection changes and new findings are judged. Detectors take turns.
 */
function chooseUnjudged(
  findings: readonly NoiseFinding[],
  verdicts: ReadonlyMap<string, Judged>,
  count: number,
): NoiseFinding[] {
  const strata = Map.groupBy(findings, stratumOf);
  const ranked = [...strata.values()].flatMap((stratum) =>
    stratum
      .toSorted((a, b) => compare(a.fingerprint, b.fingerprint))
      .map((finding, rank) => ({ finding, rank })),
  );
  return ranked
    .filter(({ finding }) => !verdicts.has(finding.fingerprint))
    .sort((a, b) => a.rank - b.rank)
    .slice(0, count)
    .map(({ finding }) => finding)
    .sort((a, b) => compare(stratumOf(a), stratumOf(b)));
}

export function stratumOf({ detector, kind }: { readonly detector: string; readonly kind: string }): string {
  return `${detector} ${kind}`;
}

/** Findings at random, each as likely as any other, to see what a scan of such trees shows. */
export function printSample(bench: Bench, scan: NoiseScan, count: number): void {
  const key = ({ fingerprint }: NoiseFinding) =>
    createHash('sha256').update(`${bench.seed}\0${fingerprint}`).digest('hex');
  const sample = scan.findings
    .map((finding) => ({ finding, key: key(finding) }))
    .sort((a, b) => compare(a.key, b.key))
    .slice(0, count);
  bench.log(`\n  ${count} findings at random, seed ${bench.seed}`);
  for (const { finding } of sample) {
    const { before, value, after } = contextOf(scan, finding, AROUND);
    bench.log(`    ${finding.detector} ${finding.confidence}  ${finding.path}:${finding.line}`);
    bench.log(`      ${oneLine(before)}⟦${oneLine(value)}⟧${oneLine(after)}`);
  }
}

function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}]+/gu, '·');
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
