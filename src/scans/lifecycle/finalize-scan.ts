/**
 * Ends a scan exactly once: the transaction that ends the last shard moves the scan to `finalizing` and
 * sends this job. The scan is `completed` only if no shard failed or was cancelled, no object is dead or
 * was left out by an error (see reason-code.ts), and the coverage equals the listing. `failed` and
 * `cancelled` scans keep their results and report how much was covered.
 */

import { errorGroupKey } from '../../base/error-group-key.ts';
import type { Database, Tx } from '../../db/database.ts';
import type { Jobs } from '../../engine/jobs/jobs.ts';
import { readLeaseGroup } from '../../engine/leases/lease-group-store.ts';
import { addDeadJob } from '../dead-letters/letter-store.ts';
import type { End } from '../hooks/hook.ts';
import { sendHooks } from '../hooks/run-hook.ts';
import { countLeftOut, coverageSums } from '../shard/shard-store.ts';
import { countHits } from '../suppressions/hit-store.ts';
import { type AppendScanEvent, withScanEvents } from './scan-events.ts';
import { endScan, failScan, isFinalizing, strandedScans, transitionScan } from './scan-store.ts';

export async function startFinalizing(
  jobs: Jobs,
  tx: Tx,
  scan: number,
  appendEvent: AppendScanEvent,
): Promise<void> {
  const ends = await transitionScan(tx, scan, ['planning', 'running', 'interrupted', 'paused'], 'finalizing');
  if (ends) appendEvent(scan, { type: 'finalizing' });
  await jobs.send(tx, 'finalize', { scan });
}

/** The `finalize` job. Hooks are sent in the transaction that ends the scan, so each runs once per end. */
export async function finalizeScan(db: Database, jobs: Jobs, scan: number): Promise<void> {
  await withScanEvents(db, async (tx, appendEvent) => {
    if (!(await isFinalizing(tx, scan))) return;
    const { status, error } = await computeFinalStatus(tx, scan);
    await endScan(tx, scan, status, error);
    await countHits(tx, scan);
    await jobs.send(tx, 'prune', { scan });
    await sendHooks(tx, jobs.send, scan, status);
    appendEvent(scan, { type: 'finalized', status, why: error });
  });
  jobs.wake();
}

/** Called when the job failed permanently: fails the scan, unless it was ended or reopened meanwhile. */
export async function recordFinalizeFailure(
  db: Pick<Database, 'tx'>,
  jobs: Jobs,
  scan: number,
  reason: string,
): Promise<void> {
  const signature = errorGroupKey(reason);
  await withScanEvents(db, async (tx, appendEvent) => {
    if (!(await failScan(tx, scan, reason))) return;
    await addDeadJob(tx, { scan, name: 'finalize', data: { scan }, reason, signature });
    await sendHooks(tx, jobs.send, scan, 'failed');
    appendEvent(scan, { type: 'failed', cause: signature });
  });
}

/** Sends the finalize job again for scans that lost it, such as after repeated crashes. */
export async function finalizeStranded(tx: Tx, jobs: Jobs): Promise<void> {
  for (const scan of await strandedScans(tx)) await jobs.send(tx, 'finalize', { scan });
}

interface FinalStatus {
  readonly status: End;
  readonly error: string | null;
}

async function computeFinalStatus(tx: Tx, scan: number): Promise<FinalStatus> {
  const group = (await readLeaseGroup(tx, scan))!;
  const { listed, ledgered, dead } = await coverageSums(tx, scan);
  const processed = ledgered === 1 ? '1 object processed' : `${ledgered} objects processed`;
  if (group.cancelled > 0) return { status: 'cancelled', error: `cancelled; ${processed}` };
  const failed = group.failed === 1 ? '1 shard failed' : `${group.failed} shards failed`;
  if (group.failed > 0) return { status: 'failed', error: `${failed}; ${processed}` };
  if (listed !== ledgered) {
    const error = `${listed} objects were listed but ${ledgered} are accounted for`;
    return { status: 'incomplete', error };
  }
  const unread = dead + (await countLeftOut(tx, scan));
  const objects = unread === 1 ? '1 object' : `${unread} objects`;
  if (unread > 0) return { status: 'incomplete', error: `${objects} could not be read` };
  return { status: 'completed', error: null };
}
