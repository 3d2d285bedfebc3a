import type { Range } from '../../base/range.ts';
import type { CountedRange } from './counted-range.ts';

/** A stretch of a range, known or guessed at. */
export interface EstimatedRange extends Range {
  readonly counted: CountedRange | null;
  /** Of a guess: the folder that it belongs to. What is known of the same folder tells about it. */
  readonly folder: string;
  /** Keys in it. Not a number: not guessed yet. */
  count: number;
  /** As many as there could be, if it were as full as anything beside it. */
  maxCount: number;
  /** How much of the space of keys it takes. */
  readonly measure: number;
  /**
   * Set where something is known on one side only: how much of the space that takes, as a share of the part's own; negative when
   * it is the right side. How far it goes on is open.
   */
  reach: number | null;
}

/** No guess is higher. */
export const MAX_COUNT = 1e12;
