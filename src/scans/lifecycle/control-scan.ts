/** Pauses and cancels scans. Control only changes rows; workers read them at their next checkpoint. */
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

/**
 * `paused` by a user, or `interrupted` by the process that ran it. Nothing is lost; no worker continues
 * until it is resumed.
 */
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
 * Called by a worker that found the budget exhausted. If the budget was raised and the scan resumed
 * meanwhile, nothing is paused. A raise that comes after the check is followed by a resume, which waits for
 * the lock of the lease group and undoes the pause.
 */
export function pauseExhaustedScan(db: Database, id: number, why: string): Promise<void> {
  return pauseScan(db, id, 'interrupted', why, (tx) => isBudgetExhausted(tx, id));
}

/**
 * Cancels permanently: findings so far are kept, the rest is not inspected. Objects that were only being
 * retried return to their previous outcome: a scan that had ended keeps its status.
 */
export async function cancelScan(db: Database, jobs: Jobs, id: number): Promise<void> {
  // A retry may add a shard concurrently; the second attempt sees it.
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

/** Returns the scan if it can still be stopped. */
export async function findStoppable(db: Database, id: number, verb: string): Promise<ScanRow> {
  const scan = await readScan(db, id);
  if (!scan) {
    throw new SeineError('not-found', `No scan ${id}.`, { hint: 'List the scans: seine scans' });
  }
  if (scan.finishedAt === null && scan.status !== 'finalizing') return scan;
  throw new SeineError('conflict', `Scan ${id} has ended (${scan.status}); nothing to ${verb}.`);
}
