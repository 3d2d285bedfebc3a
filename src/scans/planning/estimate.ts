/** An interval, and the most likely value. */
export interface Spread {
  readonly low: number;
  readonly likely: number;
  readonly high: number;
}

/** The estimated size of a source. */
export interface Estimate {
  readonly objects: Spread;
  readonly bytes: Spread;
  /** Everything was listed: the numbers are exact. */
  readonly exact: boolean;
  /** Number of listing requests used. */
  readonly calls: number;
}
