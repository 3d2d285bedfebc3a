import type { Tx } from '../../db/database.ts';
import { detachOldScan, removeDetached } from './removal-store.ts';
import { rollUpLedgers } from './retention-store.ts';
import { markSuperseded } from './superseded-store.ts';

/** How long what has ended is kept; null: for ever. */
export interface Retention {
  readonly finishedScansMs: number | null;
  readonly endedLeasesMs: number | null;
}

/** Runs work in a transaction; null when this process must not do it any more. */
type RunInTransaction = <T>(work: (tx: Tx) => Promise<T>) => Promise<T | null>;

/**
 * Some of what is old, in short transactions, for about so long. Workers do it again and again, one of them at a time; a process that
 * works alone once a scan.
 */
export async function applyRetention(
  { finishedScansMs, endedLeasesMs }: Retention,
  within: RunInTransaction,
  forMs: number,
): Promise<void> {
  const until = performance.now() + forMs;
  // What was begun comes first: its scan is gone already, and its rows only take up space.
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

/** Until there is nothing more to do. False: the time is up. */
async function repeat(step: () => Promise<boolean | null>, until: number): Promise<boolean> {
  while (await step()) if (performance.now() > until) return false;
  return true;
}
