/** Runs at the end of an object with columns: classifies them and finds the outliers. */
import { type ColumnMatches, classifyMatches, isOutlier, OUTLIER_PENALTY } from '../../detection/columns.ts';
import type { Detector } from '../../detection/detector.ts';
import { REASON, reasonsOf } from '../../detection/reasons.ts';
import type { TypeCount } from '../../governance/score.ts';
import {
  type ConfidenceHistogram,
  confidencePercent,
  countTypesAbove,
  meetsThreshold,
  mergeOverlaps,
  type Overlaps,
} from '../results/confidence-histogram.ts';
import type { FoundValue } from '../results/inspection.ts';
import {
  type ClassifiedColumn,
  type ColumnTallies,
  type ColumnTally,
  unqualifiedColumnName,
} from './column-tally.ts';

/** The findings of an object. */
export interface ObjectFindings {
  readonly types: readonly TypeCount[];
  readonly findings: readonly FoundValue[];
  readonly confidenceHistogram?: ConfidenceHistogram;
  readonly overlapCounts?: Overlaps;
  readonly columns?: readonly ClassifiedColumn[];
}

const MAX_CLASSIFIED = 200;
const OUTLIER_WEIGHT = confidencePercent(OUTLIER_PENALTY);

/** Matches of whole values that are treated as outliers. */
interface Outliers {
  readonly column: string;
  readonly detector: string;
  readonly alone: Readonly<Record<string, number>>;
  /** The kind of their column; null if it has too few values. */
  readonly kind: string | null;
}

export class ColumnClassifier {
  readonly #detectors: ReadonlyMap<string, Detector>;
  readonly #thresholds: ReadonlyMap<string, number>;

  constructor(detectors: readonly Detector[], { minConfidence }: { readonly minConfidence: Float64Array }) {
    this.#detectors = new Map(detectors.map((detector) => [detector.id, detector]));
    this.#thresholds = new Map(detectors.map(({ id }, n) => [id, minConfidence[n]!]));
  }

  /** Counts stay exact; kept findings that became implausible are removed. */
  classify(found: ObjectFindings, tallies: ColumnTallies | undefined): ObjectFindings {
    if (tallies === undefined) return found;
    const columns: ClassifiedColumn[] = [];
    const outliers: Outliers[] = [];
    for (const [column, tally] of Object.entries(tallies).sort(byName)) {
      const matches = this.#matchesOf(tally);
      const name = unqualifiedColumnName(column);
      const classified = classifyMatches(name, tally.values, matches);
      if (classified && this.#isReported(classified.detector, meanOf(tally, classified.detector)))
        columns.push({ column, ...classified, values: tally.values });
      const kind = classified && {
        detector: this.#detectors.get(classified.detector)!,
        share: classified.share,
      };
      for (const match of matches.filter((one) => isOutlier(name, tally.values, one, kind)))
        outliers.push(toOutliers(column, tally, match.detector.id, classified?.detector ?? null));
    }
    return {
      ...this.#without(found, outliers),
      ...(columns.length > 0 && { columns: columns.slice(0, MAX_CLASSIFIED) }),
    };
  }

  #matchesOf({ claims }: ColumnTally): ColumnMatches[] {
    return Object.entries(claims).flatMap(([id, { cells, sum, count }]) => {
      const detector = this.#detectors.get(id);
      return detector ? [{ detector, cells, confidence: sum / count / 100 }] : [];
    });
  }

  #without(found: ObjectFindings, outliers: readonly Outliers[]): ObjectFindings {
    const outlierKeys = new Set(outliers.map(({ column, detector }) => `${detector} ${column}`));
    const findings = found.findings.flatMap(({ cell, ...finding }) => {
      if (!outlierKeys.has(`${finding.detector} ${cell}`)) return [finding];
      const lowered = lowerFinding(finding);
      return this.#isReported(finding.detector, confidencePercent(lowered.confidence)) ? [lowered] : [];
    });
    if (outliers.length === 0 || !found.confidenceHistogram) return { ...found, findings };
    const histogram = outliers.reduce(lowerConfidence, found.confidenceHistogram);
    const overlaps = outliers.reduce(withOverlap, found.overlapCounts ?? {});
    const types = this.#typesAfter(found.types, histogram, outliers);
    return {
      ...found,
      findings,
      confidenceHistogram: histogram,
      types,
      ...(Object.keys(overlaps).length > 0 && { overlapCounts: overlaps }),
    };
  }

  /** The counts of the types that have outliers. */
  #typesAfter(
    types: readonly TypeCount[],
    histogram: ConfidenceHistogram,
    outliers: readonly Outliers[],
  ): TypeCount[] {
    const changed = new Set(outliers.map(({ detector }) => detector));
    const recounted = countTypesAbove(histogram, (id) =>
      changed.has(id) ? this.#thresholds.get(id)! : null,
    );
    const byId = new Map(recounted.map((type) => [type.detector, type]));
    return types.flatMap((type) => (changed.has(type.detector) ? (byId.get(type.detector) ?? []) : type));
  }

  #isReported(detector: string, level: number): boolean {
    return meetsThreshold(level, this.#thresholds.get(detector)!);
  }
}

function meanOf({ claims }: ColumnTally, detector: string): number {
  const { sum, count } = claims[detector]!;
  return Math.round(sum / count);
}

function toOutliers(
  column: string,
  { claims }: ColumnTally,
  detector: string,
  kind: string | null,
): Outliers {
  return { column, detector, alone: claims[detector]!.alone, kind };
}

/**
 * Without the column's kind they would be reported: recorded as if that kind had won the overlap, whatever
 * its threshold.
 */
function withOverlap(overlaps: Overlaps, { detector, alone, kind }: Outliers): Overlaps {
  if (kind === null || kind === detector) return overlaps;
  return mergeOverlaps(overlaps, { [kind]: { 100: { [detector]: Object.keys(alone).map(Number) } } });
}

/** Sorted by name: the order of discovery differs when an object is read by segments. */
function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}

function lowerConfidence(histogram: ConfidenceHistogram, { detector, alone }: Outliers): ConfidenceHistogram {
  const counts = new Map(Object.entries(histogram[detector] ?? {}).map(([level, n]) => [Number(level), n]));
  for (const [level, count] of Object.entries(alone)) {
    const [from, to] = [Number(level), Math.max(0, Number(level) + OUTLIER_WEIGHT)];
    counts.set(from, (counts.get(from) ?? 0) - count);
    counts.set(to, (counts.get(to) ?? 0) + count);
  }
  return { ...histogram, [detector]: Object.fromEntries([...counts].filter(([, count]) => count > 0)) };
}

function lowerFinding(finding: FoundValue): FoundValue {
  const { features } = finding;
  const context = ((features?.context ?? 0) * 100 + OUTLIER_WEIGHT) / 100;
  return {
    ...finding,
    confidence: Math.max(0, confidencePercent(finding.confidence) + OUTLIER_WEIGHT) / 100,
    reasons: [...new Set([...finding.reasons, ...reasonsOf(REASON.otherMeaning)])],
    ...(features && { features: { ...features, context: Math.round(context * 100) / 100 } }),
  };
}
