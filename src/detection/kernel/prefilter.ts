/** Whoever finds the places where verifiers should look. The kernel does it quickly, `scalarPrefilter` obviously. */

import type { DetectorSet } from './detector-sets.ts';
import type { FieldScope } from './field-scope.ts';

export interface Prefilter {
  /** The only bytes it can look at, where it has such. */
  readonly window: Buffer | null;
  /** Notes anchors of [from, to) and a few beside; returns where it stopped: `to`, or earlier when the records are full. */
  findCandidates(bytes: Buffer, from: number, to: number, fieldScope: FieldScope): number;
  /** Whose values the columns of the table name: they need no word of their own. */
  setColumnDetectors(detectors: readonly number[]): void;
  readonly count: number;
  /** Where and what (ASSIGNMENT, or a number for `whom`), in turn, `count` times; places are those of `bytes` plus `base`. */
  readonly candidates: Int32Array;
  readonly base: number;
  /** Whom to ask about a place. */
  detectorSetAt(id: number, bytes: Buffer, place: number): DetectorSet;
  /** How many line ends there are in [from, to), and where the last one is: -1 if there is none. */
  lines(bytes: Buffer, from: number, to: number): number;
  readonly lastLineEnd: number;
  /** Where in [from, to) the first two bytes of a wide blank stand (see find-blanks.ts); `to` or more if they don't. */
  blanks(bytes: Buffer, from: number, to: number): number;
}
