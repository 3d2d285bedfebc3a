/** Stopping a scan from outside. Control changes rows; whoever works on the scan reads them at its next checkpoint. */
import { SeineError } from '../../base/errors.ts';
import { withRetry } from '../../base/retry.ts';
import type { Database, Tx } from '../../db/database.ts';
import { isBudgetExhausted } from '../../engine/budget/budget-store.ts';
import type { Jobs } from '../../engine/jobs/jobs.ts';
import {
  cancelLeaseGroup,
  lockLeaseGroup,
  setLeaseGroupPaused,
} from '../../engine/leases/lease-group-store.ts';
import { reopenRetrying } from '../dead-letters/letter-store.ts';
import { countUnscannedShards } from '../shard/shard-store.ts';
import { startFinalizing } from './finalize-scan.ts';
import { withScanEvents } from './scan-events.ts';
import { readScan, type ScanRow, setScanError, transitionScan } from './scan-store.ts';

const CANCEL_RETRY_TIMEOUT_MS = 10_000;

/** `paused` by somebody, or `interrupted` by the process that ran it. Nothing is lost; nobody goes on until it is resumed. */
export async function pauseScan(
  db: Database,
  id: number,
  status: 'paused' | 'interrupted',
  why: string | null = null,
  precondition: (tx: Tx) => Promise<boolean> = async () => true,
): Promise<void> {
  const others = (['planning', 'running', 'paused', 'interrupted'] as const).filter((one) => one !== status);
  await withScanEvents(db, async (tx, appendEvent) => {
    await lockLeaseGroup(tx, id);
    if (!(await precondition(tx))) return;
    const changed = await transitionScan(tx, id, others, status);
    if (!changed && !(await transitionScan(tx, id, [status], status))) return;
    await setLeaseGroupPaused(tx, id, true);
    await setScanError(tx, id, why);
    if (changed) appendEvent(id, { type: status, why });
  });
}

/**
 * A worker found the budget spent. The budget may have been raised and the scan resumed before this arrives: then nothing is paused.
 * A raise that comes after the check is followed by a resume, which waits for the work's lock and undoes the pause.
 */
export function pauseExhaustedScan(db: Database, id: number, why: string): Promise<void> {
  return pauseScan(db, id, 'interrupted', why, (tx) => isBudgetExhausted(tx, id));
}

/**
 * For good: what was found so far is kept, what is left is not looked at. Objects that were only to be tried once more are as they
 * were before: a scan that had come to its end has come to it all the same.
 */
export async function cancelScan(db: Database, jobs: Jobs, id: number): Promise<void> {
  // A retry may add a shard at the same moment; the second time it is seen.
  await withRetry(() => cancelOnce(db, jobs, id), { forMs: CANCEL_RETRY_TIMEOUT_MS });
  jobs.wake();
}

function cancelOnce(db: Database, jobs: Jobs, id: number): Promise<void> {
  return withScanEvents(db, async (tx, appendEvent) => {
    const ended = await cancelLeaseGroup(tx, id, (leases) => countUnscannedShards(tx, leases));
    if (ended.length === 0) return;
    await reopenRetrying(tx, id);
    appendEvent(id, { type: 'cancelled', shards: ended.length });
    await startFinalizing(jobs, tx, id, appendEvent);
  });
}

/** The scan, if it can still be stopped. */
export async function findStoppable(db: Database, id: number, verb: string): Promise<ScanRow> {
  const scan = await readScan(db, id);
  if (!scan) {
    throw new SeineError('not-found', `There is no scan ${id}.`, { hint: 'seine scans lists them all.' });
  }
  if (scan.finishedAt === null && scan.status !== 'finalizing') return scan;
  throw new SeineError('conflict', `Scan ${id} has ended (${scan.status}): there is nothing to ${verb}.`);
}
