import type { PolicyMatches } from '../../governance/policies/evaluate.ts';
import type { Tier } from '../../governance/tier.ts';
import type { ClassifiedColumn } from '../columns/column-tally.ts';
import type { SuppressedCounts } from '../suppressions/suppression.ts';
import type { ConfidenceHistogram, Overlaps } from './confidence-histogram.ts';

/** What a finding's confidence is made of. What is nothing is left out. */
export interface Features {
  /** Of the value itself, its own checks passed. */
  readonly base: number;
  /** What its surroundings added or took. */
  readonly context?: number;
  /** Bits per character, where it was measured. */
  readonly entropy?: number;
  /** Detectors that claimed the same bytes and lost. */
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
  /** Null or missing: of a scan before they were kept. */
  readonly features?: Features | null;
  /** The column of which it is a whole value, until the columns are judged. */
  readonly cell?: string;
}

/** What came out of looking at one object. */
export interface Inspection {
  readonly outcome: 'scanned' | 'partial' | 'skipped' | 'dead';
  /** Why it was not fully read; empty for `scanned`. */
  readonly reason: string;
  /** The same content will give the same answer: an unchanged object needn't be looked at again. */
  readonly stable: boolean;
  readonly bytesRead: number;
  readonly score: number | null;
  /** The score without its cap, to tell the worst from the bad. */
  readonly points: number | null;
  readonly tier: Tier | null;
  /** Exact, also where only the first findings of a kind are kept. */
  readonly counts: Readonly<Record<string, number>>;
  /** Those that fired, with the detectors that spoke for them. */
  readonly policies: PolicyMatches;
  readonly findings: readonly FoundValue[];
  /** Found, but known and accepted: in none of the above. */
  readonly suppressed?: SuppressedCounts;
  /** Of all values, also those below the threshold; missing: there are none. */
  readonly levels?: ConfidenceHistogram;
  /** What the columns of its tables hold, where that is clear. */
  readonly columns?: readonly ClassifiedColumn[];
  readonly contests?: Overlaps;
  /** Something to know about it, though it was read: "named .pdf, is a zip archive". */
  readonly note?: string;
  /** It could not be read for now: another try may go well. Never written down. */
  readonly transient?: boolean;
  /** Of an object that is dead: what is known about the cause. */
  readonly evidence?: { readonly error?: string; readonly attempts?: number };
}

const NOTHING = { score: null, points: null, tier: null, counts: {}, policies: {}, findings: [] } as const;

/** Read to the end, nothing found. */
export function clean(bytesRead: number): Inspection {
  return { outcome: 'scanned', reason: '', stable: true, bytesRead, ...NOTHING };
}

export function notRead(outcome: 'skipped' | 'dead', reason: string, stable: boolean): Inspection {
  return { outcome, reason, stable, bytesRead: 0, ...NOTHING };
}

/** It has a row of its own: not fully read, something was found in it, be it accepted, or there is something to know. */
export function isNotable({ outcome, tier, suppressed, note }: Inspection): boolean {
  return outcome !== 'scanned' || tier !== null || suppressed !== undefined || note !== undefined;
}

/** Nothing to say about it: fully read, not even a value below the threshold. A step of a huge object always tells how it joins its neighbours. */
export function isClean(inspection: Inspection): boolean {
  return !isNotable(inspection) && inspection.levels === undefined && !('joint' in inspection);
}
