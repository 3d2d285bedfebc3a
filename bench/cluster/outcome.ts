/** The results of a simulated scan. */

export interface ClusterOutcome {
  readonly seconds: number;
  /** With the work shared out perfectly from the first moment on, listing for nothing. */
  readonly ideal: number;
  /** Listing requests beyond those that one worker would need. */
  readonly extraLists: number;
  readonly splits: number;
  readonly crashes: number;
  readonly redone: number;
  readonly missed: number;
  readonly doubled: number;
}

/** Whether every object was done exactly once; `done`: from, to (exclusive). */
export function account(
  done: readonly (readonly [number, number])[],
  count: number,
): { missed: number; doubled: number } {
  let [at, missed, doubled] = [0, 0, 0];
  for (const [from, to] of done.toSorted((a, b) => a[0] - b[0] || a[1] - b[1])) {
    missed += Math.max(0, from - at);
    doubled += Math.max(0, Math.min(at, to) - from);
    at = Math.max(at, to);
  }
  return { missed: missed + count - at, doubled };
}
