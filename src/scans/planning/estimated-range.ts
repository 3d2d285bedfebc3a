import type { Range } from '../../base/range.ts';
import type { CountedRange } from './counted-range.ts';

/** A part of a range, counted or estimated. */
export interface EstimatedRange extends Range {
  readonly counted: CountedRange | null;
  /** For an estimate: its folder. Counted ranges of the same folder are used for the estimate. */
  readonly folder: string;
  /** Number of keys. NaN: not estimated yet. */
  count: number;
  /** The maximum number of keys, if it were as dense as any neighbour. */
  maxCount: number;
  /** Its measure in the key space. */
  readonly measure: number;
  /**
   * Set where only one neighbour is counted: the measure of that neighbour, as a share of the part's own;
   * negative for the right neighbour. The extent of the keys is open then.
   */
  reach: number | null;
}

/** Upper bound of estimates. */
export const MAX_COUNT = 1e12;
