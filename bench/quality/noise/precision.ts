/** Precision of each detector from a judged sample of its findings. */
import type { NoiseFinding } from './findings.ts';
import { stratumOf } from './review.ts';
import type { Judged, Verdict } from './verdicts.ts';

export interface Stratum {
  readonly detector: string;
  readonly kind: string;
  readonly findings: number;
  readonly verdicts: Readonly<Record<Verdict, number>>;
  readonly judged: number;
  /** Of the right kind, no matter whose data it is; null: none of them was judged. */
  readonly precision: number | null;
  /** The notes on false ones, the most frequent first, with their numbers. */
  readonly causes: readonly (readonly [note: string, findings: number])[];
}

export function strataOf(
  findings: readonly NoiseFinding[],
  verdicts: ReadonlyMap<string, Judged>,
): Stratum[] {
  return [...Map.groupBy(findings, stratumOf).values()]
    .map((ofStratum) => toStratum(ofStratum, verdicts))
    .sort((a, b) => b.findings - a.findings);
}

function toStratum(findings: readonly NoiseFinding[], known: ReadonlyMap<string, Judged>): Stratum {
  const verdicts = { true: 0, authorship: 0, example: 0, false: 0 };
  const notes = new Map<string, number>();
  for (const { fingerprint } of findings) {
    const one = known.get(fingerprint);
    if (one === undefined) continue;
    verdicts[one.verdict]++;
    if (one.verdict === 'false') notes.set(one.note, (notes.get(one.note) ?? 0) + 1);
  }
  const judged = verdicts.true + verdicts.authorship + verdicts.example + verdicts.false;
  const { detector, kind } = findings[0]!;
  const precision = judged === 0 ? null : 1 - verdicts.false / judged;
  const causes = [...notes].sort(([, a], [, b]) => b - a);
  return { detector, kind, findings: findings.length, verdicts, judged, precision, causes };
}

export interface Weighted {
  readonly findings: number;
  /** Findings of detectors of which at least one was judged. */
  readonly represented: number;
  /** Expected number of false ones among those. */
  readonly falseOnes: number;
  readonly precision: number;
}

/** Every detector counts as often as it was found. */
export function weightedPrecision(strata: readonly Stratum[]): Weighted {
  let represented = 0;
  let falseOnes = 0;
  for (const { findings, precision } of strata) {
    if (precision === null) continue;
    represented += findings;
    falseOnes += findings * (1 - precision);
  }
  const findings = strata.reduce((sum, stratum) => sum + stratum.findings, 0);
  return { findings, represented, falseOnes, precision: 1 - falseOnes / represented };
}

const Z = 1.96; // 95 %

/** The interval of Wilson for a share: right for small samples, too, also where all or none of them were right. */
export function wilson(right: number, judged: number): readonly [low: number, high: number] {
  if (judged === 0) return [0, 1];
  const share = right / judged;
  const scale = 1 + Z ** 2 / judged;
  const middle = (share + Z ** 2 / (2 * judged)) / scale;
  const half = (Z / scale) * Math.sqrt((share * (1 - share)) / judged + Z ** 2 / (4 * judged ** 2));
  return [Math.max(0, middle - half), Math.min(1, middle + half)];
}
