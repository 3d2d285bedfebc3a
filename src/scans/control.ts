/** Stopping a scan from outside. Control changes rows; whoever works on the scan reads them at its next checkpoint. */
import { SeineError } from '../base/errors.ts';
import { retrying } from '../base/retry.ts';
import type { Database, Tx } from '../db/database.ts';
import { isBudgetSpent } from '../engine/budget/budget-store.ts';
import type { Jobs } from '../engine/jobs/jobs.ts';
import { cancelWork, lockWork, pauseWork } from '../engine/leases/work-store.ts';
import { reopenTaken } from './dead-letters/letter-store.ts';
import { lastShardEnded } from './finalize.ts';
import { telling } from './scan-events.ts';
import { explainScan, moveScan, readScan, type ScanRow } from './scan-store.ts';
import { holesLeftBy } from './shard-store.ts';

const CANCEL_PATIENCE_MS = 10_000;

/** `paused` by somebody, or `interrupted` by the process that ran it. Nothing is lost; nobody goes on until it is resumed. */
export async function pauseScan(
  db: Database,
  id: number,
  status: 'paused' | 'interrupted',
  why: string | null = null,
  stillTrue: (tx: Tx) => Promise<boolean> = async () => true,
): Promise<void> {
  const others = (['planning', 'running', 'paused', 'interrupted'] as const).filter((one) => one !== status);
  await telling(db, async (tx, tell) => {
    await lockWork(tx, id);
    if (!(await stillTrue(tx))) return;
    const changed = await moveScan(tx, id, others, status);
    if (!changed && !(await moveScan(tx, id, [status], status))) return;
    await pauseWork(tx, id, true);
    await explainScan(tx, id, why);
    if (changed) tell(id, { type: status, why });
  });
}

/**
 * A worker found the budget spent. The budget may have been raised and the scan resumed before this arrives: then nothing is paused.
 * A raise that comes after the check is followed by a resume, which waits for the work's lock and undoes the pause.
 */
export function pauseSpentScan(db: Database, id: number, why: string): Promise<void> {
  return pauseScan(db, id, 'interrupted', why, (tx) => isBudgetSpent(tx, id));
}

/**
 * For good: what was found so far is kept, what is left is not looked at. Objects that were only to be tried once more are as they
 * were before: a scan that had come to its end has come to it all the same.
 */
export async function cancelScan(db: Database, jobs: Jobs, id: number): Promise<void> {
  // A retry may add a shard at the same moment; the second time it is seen.
  await retrying(() => cancelOnce(db, jobs, id), { forMs: CANCEL_PATIENCE_MS });
  jobs.wake();
}

function cancelOnce(db: Database, jobs: Jobs, id: number): Promise<void> {
  return telling(db, async (tx, tell) => {
    const ended = await cancelWork(tx, id, (leases) => holesLeftBy(tx, leases));
    if (ended.length === 0) return;
    await reopenTaken(tx, id);
    tell(id, { type: 'cancelled', shards: ended.length });
    await lastShardEnded(jobs, tx, id, tell);
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
