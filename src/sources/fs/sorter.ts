/**
 * Sorts byte strings in turns: a million names at once would take more than half a second, in which no heartbeat is
 * sent. They are sorted in short runs as they come and merged in the end, with a `null` wherever others may work.
 */
export interface Sorter {
  add(name: string): void;
  /** All of them, each once: a folder that is written to while it is read may give a name twice. */
  finish(): Generator<null, readonly string[]>;
}

const RUN_LENGTH = 1 << 14;

export function createSorter(): Sorter {
  const runs: string[][] = [];
  let run: string[] = [];

  function seal(): void {
    // Without a comparison function strings are ordered by code unit, and a code unit is a byte here.
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
        // The oldest two, the result to the back: so runs of like length meet.
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
