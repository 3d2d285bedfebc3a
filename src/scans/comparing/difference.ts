/**
 * The differences between two sides: two scans, or a baseline and a scan.
 *
 * Findings are identified by fingerprint and object. They are paired in this order, each with at most one of the other side:
 *   same object, same value, same position            unchanged
 *   same object, same value, another position         moved
 *   another object, same value                        moved
 *   the rest                                          gone (of the first side), new (of the second)
 *
 * The number of findings kept per object and type is limited. Where one side has more than it kept, and the other has some,
 * only the two counts are compared, and the difference is marked. The sides are in temporary tables of one transaction, so
 * PostgreSQL does the sorting, on disk if need be; a process has one page of it in memory.
 */
import type { Key } from '../../base/key.ts';

export type Change = 'new' | 'gone' | 'moved';

/**
 * Why a finding is new or gone. `data`: the object appeared, vanished or changed. `rules`: it did not, but
 * rules or detectors did. `suppressions`: it was suppressed on the other side. `not read`: the other side
 * could not read all of the object.
 */
export const CAUSES = ['data', 'rules', 'suppressions', 'not read'] as const;
export type Cause = (typeof CAUSES)[number];

export interface FindingLocation {
  readonly key: Key;
  readonly part: string | null;
  /** Null if unknown: a baseline stores none, a count has none. */
  readonly line: number | null;
  readonly handle: string | null;
}

export interface Difference {
  readonly change: Change;
  readonly cause: Cause | null;
  readonly detector: string;
  /** Null for a difference of counts. */
  readonly fingerprint: string | null;
  readonly masked: string | null;
  readonly confidence: number | null;
  /** The number of findings that it represents. */
  readonly count: number;
  readonly before: FindingLocation | null;
  readonly after: FindingLocation | null;
}

export interface TypeSummary {
  readonly detector: string;
  readonly new: number;
  readonly gone: number;
  readonly moved: number;
  readonly unchanged: number;
}

export interface Summary {
  readonly types: readonly TypeSummary[];
  /** Objects and types of which only the counts were compared. */
  readonly counted: number;
}
