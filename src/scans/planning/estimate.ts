/** Between which numbers it lies, and what is most likely. */
export interface Spread {
  readonly low: number;
  readonly likely: number;
  readonly high: number;
}

/** How much there is, as far as a look around tells. */
export interface Estimate {
  readonly objects: Spread;
  readonly bytes: Spread;
  /** Everything was listed: the numbers are true, not likely. */
  readonly exact: boolean;
  /** Listing requests that were spent. */
  readonly calls: number;
}
