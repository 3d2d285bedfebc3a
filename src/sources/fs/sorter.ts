/**
 * Cooperative sorting of byte strings: sorting a million names at once would block for more than half a second, in which no heartbeat is
 * sent. Names are sorted in short runs as they arrive and merged at the end; yields `null` wherever the work may be interrupted.
 */
export interface Sorter {
  add(name: string): void;
  /** All names, without duplicates: a folder that is modified while it is read may return a name twice. */
  finish(): Generator<null, readonly string[]>;
}

const RUN_LENGTH = 1 << 14;

export function createSorter(): Sorter {
  const runs: string[][] = [];
  let run: string[] = [];

  function seal(): void {
    // The default order compares code units, each of which is a byte here.
    if (run.length > 0) runs.push(run.sort());
    run = [];
  }

  return {
    add(name) {
      if (run.push(name) === RUN_LENGTH) seal();
    },
    *finish() {
      seal();
      while (runs.length > 1) {
        // Merges the oldest two and appends the result, so that runs of similar length are merged.
        runs.push(merge(runs.shift()!, runs.shift()!));
        yield null;
      }
      return (runs[0] ?? []).filter((name, at, all) => at === 0 || name !== all[at - 1]);
    },
  };
}

function merge(left: readonly string[], right: readonly string[]): string[] {
  const merged: string[] = [];
  let i = 0;
  let j = 0;
  while (i < left.length && j < right.length) {
    merged.push(left[i]! <= right[j]! ? left[i++]! : right[j++]!);
  }
  while (i < left.length) merged.push(left[i++]!);
  while (j < right.length) merged.push(right[j++]!);
  return merged;
}
