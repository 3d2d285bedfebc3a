/**
 * The result of a byte range of an object. Adjacent results can be joined, in any grouping, to the result
 * of inspecting both together.
 */
import type { TypeCount } from '../../governance/score.ts';
import type { ByteRange } from '../../sources/source.ts';
import { type ColumnTallies, mergeColumns } from '../columns/column-tally.ts';
import { mergeHistograms, mergeOverlaps } from '../results/confidence-histogram.ts';
import { FindingLimit } from '../results/finding-limit.ts';
import type { FoundValue, Inspection } from '../results/inspection.ts';
import { addSuppressed } from '../suppressions/suppression.ts';

type Features = Pick<Inspection, 'confidenceHistogram' | 'overlapCounts'>;

/** What is needed to join a result to its neighbours. */
export interface SegmentBoundary {
  readonly from: number;
  readonly to: number;
  readonly newlines: number;
  /** Start of the line in which the range ends; `from` if it started before. */
  readonly lineStart: number;
  /** In order of discovery: the floating-point sum of a score depends on it. */
  readonly types: readonly TypeCount[];
  /** For tables: the column counts, which are classified at the end of the object. */
  readonly columns?: ColumnTallies;
}

/**
 * `findings`: their lines count from 0, the line in which the range starts, and on that line columns count
 * from the range's first byte.
 */
export interface SegmentResult
  extends SegmentBoundary,
    Features,
    Pick<Inspection, 'outcome' | 'reason' | 'bytesRead' | 'findings' | 'evidence' | 'suppressed'> {}

/** The result of a chunk from a thread. */
export interface ChunkInspection extends Inspection {
  readonly joint: SegmentBoundary;
}

/** A chunk that crashed its thread has no boundary. */
export function toSegmentResult(step: ByteRange, inspection: Inspection): SegmentResult {
  const { outcome, reason, bytesRead, findings, evidence, suppressed } = inspection;
  const joint = 'joint' in inspection ? (inspection as ChunkInspection).joint : emptyBoundary(step);
  const more = {
    ...(evidence && { evidence }),
    ...(suppressed && { suppressed }),
    ...featuresOf(inspection),
  };
  return { ...joint, outcome, reason, bytesRead, findings, ...more };
}

export function emptyBoundary({ from, to }: ByteRange): SegmentBoundary {
  return { from, to, newlines: 0, lineStart: from, types: [] };
}

/**
 * Joins two adjacent results. Keeps the findings that inspecting both together would have kept
 * (finding-limit.ts).
 */
export function joinSegments(
  left: SegmentResult,
  right: SegmentResult,
  maxFindingsPerType: number,
): SegmentResult {
  // As when an object is read from the start: nothing counts after a part that could not be read, and its
  // lines would be unknown.
  if (left.outcome !== 'scanned') return { ...left, to: right.to };
  const suppressed = addSuppressed(left.suppressed, right.suppressed);
  const columns = mergeColumns(left.columns, right.columns);
  return {
    ...right,
    from: left.from,
    newlines: left.newlines + right.newlines,
    lineStart: right.newlines > 0 ? right.lineStart : left.lineStart,
    types: mergeTypes(left.types, right.types),
    bytesRead: left.bytesRead + right.bytesRead,
    findings: [
      ...left.findings,
      ...limitFindings(right.findings, left.types, maxFindingsPerType, left.findings.length).map(moved),
    ],
    ...(suppressed && { suppressed }),
    ...(columns && { columns }),
    ...mergeFeatures(left, right),
  };

  function moved(finding: FoundValue): FoundValue {
    const line = finding.line + left.newlines;
    return finding.line > 0
      ? { ...finding, line }
      : { ...finding, line, column: finding.column + right.from - left.lineStart };
  }
}

/** Only the fields that are set. */
export function featuresOf({ confidenceHistogram: levels, overlapCounts: contests }: Features): Features {
  return { ...(levels && { confidenceHistogram: levels }), ...(contests && { overlapCounts: contests }) };
}

/** Omits empty fields. */
function mergeFeatures(left: Features, right: Features): Features {
  const levels = mergeHistograms(left.confidenceHistogram ?? {}, right.confidenceHistogram ?? {});
  const contests = mergeOverlaps(left.overlapCounts ?? {}, right.overlapCounts ?? {});
  return {
    ...(Object.keys(levels).length > 0 && { confidenceHistogram: levels }),
    ...(Object.keys(contests).length > 0 && { overlapCounts: contests }),
  };
}

export function mergeTypes(left: readonly TypeCount[], right: readonly TypeCount[]): TypeCount[] {
  const sums = new Map(left.map((type) => [type.detector, type]));
  for (const type of right) {
    const before = sums.get(type.detector);
    sums.set(type.detector, before === undefined ? type : bothTypes(before, type));
  }
  return [...sums.values()];
}

function bothTypes(left: TypeCount, right: TypeCount): TypeCount {
  const authorship = (left.authorship ?? 0) + (right.authorship ?? 0);
  const example = (left.example ?? 0) + (right.example ?? 0);
  return {
    detector: left.detector,
    count: left.count + right.count,
    confidence: Math.max(left.confidence, right.confidence),
    ...(authorship > 0 && { authorship }),
    ...(example > 0 && { example }),
  };
}

/** The findings to keep, given the counts `before` and the number `kept` of these. */
export function limitFindings(
  findings: readonly FoundValue[],
  before: readonly TypeCount[],
  maxFindingsPerType: number,
  kept = 0,
): FoundValue[] {
  const seen = new Map(before.map((type) => [type.detector, type.count]));
  const rule = new FindingLimit(maxFindingsPerType, kept);
  return findings.filter(({ detector }) => {
    const nth = (seen.get(detector) ?? 0) + 1;
    seen.set(detector, nth);
    return rule.admit(nth);
  });
}
