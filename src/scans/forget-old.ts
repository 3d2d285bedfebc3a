import type { Tx } from '../db/database.ts';
import { removeOldScans, rollUpLedgers } from './retention-store.ts';

/** How long what has ended is kept; null: for ever. */
export interface Retention {
  readonly finishedScansMs: number | null;
  readonly endedLeasesMs: number | null;
}

/** A little of what is old. Workers do it again and again, one of them at a time; a process that works alone once a scan. */
export async function forgetOld(
  { finishedScansMs, endedLeasesMs }: Retention,
  within: (work: (tx: Tx) => Promise<number>) => Promise<unknown>,
): Promise<void> {
  if (endedLeasesMs !== null) await within((tx) => rollUpLedgers(tx, endedLeasesMs));
  if (finishedScansMs !== null) await within((tx) => removeOldScans(tx, finishedScansMs));
}
