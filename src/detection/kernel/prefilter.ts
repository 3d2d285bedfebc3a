/** Finds the candidates of a text: positions at which a detector may match. Implemented by the WASM kernel and by the scalar prefilter. */
import type { DetectorSet } from './detector-sets.ts';

export interface Prefilter {
  /** The only buffer it can search, or null if it accepts any. */
  readonly window: Buffer | null;
  /** Records candidates of [from, to), with false positives. Returns where it stopped: `to`, or earlier if the buffer is full. */
  findCandidates(bytes: Buffer, from: number, to: number, fieldScope: FieldScope): number;
  /** The detectors that the table's columns are labels of: their values need no context word. */
  setColumnDetectors(detectors: readonly number[]): void;
  readonly count: number;
  /**
   * Pairs of position and id (ASSIGNMENT, or an id for `detectorSetAt`), `count` of them; positions are relative to `bytes`, plus `base`.
   */
  readonly candidates: Int32Array;
  readonly base: number;
  /** The detectors to run at a candidate. */
  detectorSetAt(id: number, bytes: Buffer, at: number): DetectorSet;
  /** The number of line ends in [from, to). Sets `lastLineEnd` to the position of the last one, or -1. */
  lines(bytes: Buffer, from: number, to: number): number;
  readonly lastLineEnd: number;
  /** The position in [from, to) of the first two bytes of a wide blank (see find-blanks.ts); `to` or more if there is none. */
  blanks(bytes: Buffer, from: number, to: number): number;
}

/** Where the name of a value may be: on its line, in the brackets and lines around it, or in the head of a table. */
export const FIELD_SCOPE = { near: 0, lists: 1, columns: 2 } as const;

export type FieldScope = (typeof FIELD_SCOPE)[keyof typeof FIELD_SCOPE];
