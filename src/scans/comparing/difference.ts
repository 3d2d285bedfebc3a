/**
 * What is different between two sides: two scans, or a baseline and a scan.
 *
 * Findings are told apart by their fingerprint and their object. In this order, each with at most one of the other side:
 *   same object, same value, same place               unchanged
 *   same object, same value, another place            moved
 *   another object, same value                        moved
 *   what is left                                      gone (of the first side), new (of the second)
 *
 * Of each object and type only so many findings are kept. Where one side has more than it kept, and the other has some, the two
 * counts are compared instead, and the difference says so. The sides lie in temporary tables of one transaction, so PostgreSQL
 * does the sorting, on disk if need be; a process has a page of it in memory.
 */
import type { Key } from '../../base/key.ts';

export type Change = 'new' | 'gone' | 'moved';

/**
 * Of what is new or gone. `data`: the object appeared, vanished or changed. `rules`: it did not, but rules or detectors did.
 * `suppressions`: it was accepted on the other side. `not read`: the other side could not read all of the object.
 */
export const CAUSES = ['data', 'rules', 'suppressions', 'not read'] as const;
export type Cause = (typeof CAUSES)[number];

export interface FindingLocation {
  readonly key: Key;
  readonly part: string | null;
  /** Null where it is not known: a baseline keeps none, a count has none. */
  readonly line: number | null;
  readonly handle: string | null;
}

export interface Difference {
  readonly change: Change;
  readonly cause: Cause | null;
  readonly detector: string;
  /** Null: a difference of counts. */
  readonly fingerprint: string | null;
  readonly masked: string | null;
  readonly confidence: number | null;
  /** Findings that it stands for. */
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
