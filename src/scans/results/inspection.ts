import type { PolicyMatches } from '../../governance/policies/evaluate.ts';
import type { Tier } from '../../governance/tier.ts';
import type { ClassifiedColumn } from '../columns/column-tally.ts';
import type { SuppressedCounts } from '../suppressions/suppression.ts';
import type { ConfidenceHistogram, Overlaps } from './confidence-histogram.ts';

/** The parts of a finding's confidence. Zero parts are omitted. */
export interface Features {
  /** Confidence of the value itself, after its own checks. */
  readonly base: number;
  /** Contribution of the context, positive or negative. */
  readonly context?: number;
  /** Bits per character, where it was measured. */
  readonly entropy?: number;
  /** Detectors whose matches of the same bytes lost. */
  readonly contested?: readonly string[];
}

/** One value found in an object, masked. */
export interface FoundValue {
  readonly part: string | null;
  readonly detector: string;
  readonly category: string;
  readonly field: string | null;
  /** Byte offsets in the object (in the part's text where it was decompressed or decoded). */
  readonly start: number;
  readonly end: number;
  readonly line: number;
  readonly column: number;
  readonly confidence: number;
  readonly masked: string;
  readonly fingerprint: string;
  readonly reasons: readonly string[];
  /** Null or missing: from a scan by a version that did not store them. */
  readonly features?: Features | null;
  /** The column in which it is a whole value, until the columns are classified. */
  readonly cell?: string;
}

/** The result of inspecting one object. */
export interface Inspection {
  readonly outcome: 'scanned' | 'partial' | 'skipped' | 'dead';
  /** Why it was not fully read; empty for `scanned`. */
  readonly reason: string;
  /** Deterministic: an unchanged object need not be inspected again. */
  readonly stable: boolean;
  readonly bytesRead: number;
  readonly score: number | null;
  /** The uncapped score, for sorting. */
  readonly points: number | null;
  readonly tier: Tier | null;
  /** Exact, also where only the first findings of a type are kept. */
  readonly counts: Readonly<Record<string, number>>;
  /** The matching policies, with the detectors that contribute. */
  readonly policies: PolicyMatches;
  readonly findings: readonly FoundValue[];
  /** Suppressed findings: included in none of the above. */
  readonly suppressed?: SuppressedCounts;
  /** Of all values, those below the threshold included; missing: there are none. */
  readonly confidenceHistogram?: ConfidenceHistogram;
  /** The classified columns of its tables, where unambiguous. */
  readonly columns?: readonly ClassifiedColumn[];
  readonly overlapCounts?: Overlaps;
  /** A remark, though it was read: "named .pdf, is a zip archive". */
  readonly note?: string;
  /** It could not be read for now: a retry may succeed. Never stored. */
  readonly transient?: boolean;
  /** For an object that is dead: details of the cause. */
  readonly evidence?: { readonly error?: string; readonly attempts?: number };
}

const NOTHING = { score: null, points: null, tier: null, counts: {}, policies: {}, findings: [] } as const;

/** Read completely, without findings. */
export function clean(bytesRead: number): Inspection {
  return { outcome: 'scanned', reason: '', stable: true, bytesRead, ...NOTHING };
}

export function notRead(outcome: 'skipped' | 'dead', reason: string, stable: boolean): Inspection {
  return { outcome, reason, stable, bytesRead: 0, ...NOTHING };
}

/** It needs a row: not fully read, with findings, even suppressed ones, or with a note. */
export function isNotable({ outcome, tier, suppressed, note }: Inspection): boolean {
  return outcome !== 'scanned' || tier !== null || suppressed !== undefined || note !== undefined;
}

/**
 * Nothing to report: fully read, without values even below the threshold. A segment chunk always reports
 * its boundary.
 */
export function isClean(inspection: Inspection): boolean {
  return !isNotable(inspection) && inspection.confidenceHistogram === undefined && !('joint' in inspection);
}
