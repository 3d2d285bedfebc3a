import type { Tx } from '../../db/database.ts';
import { detachOldScan, removeDetached } from './removal-store.ts';
import { rollUpLedgers } from './retention-store.ts';
import { markSuperseded } from './superseded-store.ts';

/** How long ended scans are kept; null: for ever. */
export interface Retention {
  readonly finishedScansMs: number | null;
  readonly endedLeasesMs: number | null;
}

/** Runs `work` in a transaction; returns null when this process may not do so any more. */
type RunInTransaction = <T>(work: (tx: Tx) => Promise<T>) => Promise<T | null>;

/**
 * Removes or rolls up some old data, in short transactions, within a time limit. The leader does this
 * periodically; a process that works alone does it once per scan.
 */
export async function applyRetention(
  { finishedScansMs, endedLeasesMs }: Retention,
  within: RunInTransaction,
  forMs: number,
): Promise<void> {
  const until = performance.now() + forMs;
  // Started removals come first: their scans are already gone, and the rows only take up space.
  if (!(await repeat(() => within(removeDetached), until))) return;
  if (finishedScansMs !== null) {
    if (!(await repeat(() => within(markSuperseded), until))) return;
    const removeNext = async () =>
      (await within((tx) => detachOldScan(tx, finishedScansMs))) === true &&
      (await repeat(() => within(removeDetached), until));
    if (!(await repeat(removeNext, until))) return;
  }
  if (endedLeasesMs === null) return;
  await repeat(async () => (await within((tx) => rollUpLedgers(tx, endedLeasesMs))) !== null, until);
}

/** Repeats until there is nothing more to do. Returns false if the time is up. */
async function repeat(step: () => Promise<boolean | null>, until: number): Promise<boolean> {
  while (await step()) if (performance.now() > until) return false;
  return true;
}
