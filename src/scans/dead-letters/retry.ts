/**
 * Retries what failed permanently. Objects become a small shard of their scan, which is reopened if it had
 * ended: their new outcome replaces the old one, coverage and totals are updated, and the scan ends again.
 * A shard continues at its cursor; a job is sent again.
 */
import { type Key, keyFromBytes } from '../../base/key.ts';
import { FULL_RANGE } from '../../base/range.ts';
import type { Database, Tx } from '../../db/database.ts';
import type { Jobs } from '../../engine/jobs/jobs.ts';
import { lockLeaseGroup, reopenLeases, setLeaseGroupPaused } from '../../engine/leases/lease-group-store.ts';
import { addLeases } from '../../engine/leases/lease-store.ts';
import { disableSplits } from '../../engine/leases/split-store.ts';
import { notifyWorkers } from '../../engine/workers/work-channel.ts';
import { reopenActionDeadLetters, requeueActions } from '../../workflows/actions/action-dead-letter-store.ts';
import { hookQueue, hostAffinityOfHook } from '../hooks/hook.ts';
import { requeueHook } from '../hooks/hook-letter-store.ts';
import { type AppendScanEvent, withScanEvents } from '../lifecycle/scan-events.ts';
import { reopenScan, restartFinalizing } from '../lifecycle/scan-store.ts';
import { requireKey } from '../results/fingerprint-key.ts';
import { addShards } from '../shard/shard-store.ts';
import {
  type JobEvidence,
  type LetterFilter,
  markActionsRetrying,
  markRetrying,
  type RetryingLetter,
  resolveLetters,
} from './letter-store.ts';
import { addRetryKeys } from './retry-source.ts';

export interface Retried {
  readonly letters: number;
  /** Scans with objects or shards to be processed again. */
  readonly scans: readonly number[];
  /** Scans whose finalization, or a job after it, is to be repeated. */
  readonly ends: readonly number[];
}

export async function retryLetters(db: Database, jobs: Jobs, filter: LetterFilter): Promise<Retried> {
  const retried = await withScanEvents(db, async (tx, appendEvent) => {
    const letters = await markRetrying(tx, filter);
    const byScan = Map.groupBy(letters, (letter) => letter.scan);
    for (const [scan, ofScan] of byScan) await retryOf(tx, jobs, scan, ofScan, appendEvent);
    await notifyWorkers(tx);
    const scansWith = (isJob: boolean) =>
      [...byScan.keys()].filter((scan) => byScan.get(scan)!.some(({ kind }) => (kind === 'job') === isJob));
    return { letters: letters.length, scans: scansWith(false), ends: scansWith(true) };
  });
  jobs.wake();
  return retried;
}

async function retryOf(
  tx: Tx,
  jobs: Jobs,
  scan: number,
  letters: readonly RetryingLetter[],
  appendEvent: AppendScanEvent,
): Promise<void> {
  const of = (kind: RetryingLetter['kind']) => letters.filter((letter) => letter.kind === kind);
  const [objects, shards] = [of('object'), of('shard')];
  if (objects.length + shards.length > 0) await rescan(tx, scan, objects, shards, appendEvent);
  for (const { evidence } of of('job')) await resendJob(tx, jobs, scan, evidence, appendEvent);
  await resolveLetters(
    tx,
    [...shards, ...of('job').filter((letter) => letter.evidence.job !== 'hook')].map((letter) => letter.id),
  );
}

async function rescan(
  tx: Tx,
  scan: number,
  objects: readonly RetryingLetter[],
  shards: readonly RetryingLetter[],
  appendEvent: AppendScanEvent,
): Promise<void> {
  await lockLeaseGroup(tx, scan);
  await requireKey(tx, scan);
  if (await reopenScan(tx, scan)) {
    await setLeaseGroupPaused(tx, scan, false);
    appendEvent(scan, { type: 'reopened' });
  }
  const keys = objects.map(({ key }) => keyFromBytes(key!));
  if (keys.length > 0) await addRetryShard(tx, scan, keys);
  const leases = shards.map(({ lease }) => lease!);
  const reopened = leases.length > 0 ? await reopenLeases(tx, scan, leases) : 0;
  appendEvent(scan, { type: 'retried', objects: keys.length, shards: reopened });
}

/**
 * A hook stores its attempts, so it is requeued; finalizing needs a scan that has not ended; other jobs are
 * just sent.
 */
async function resendJob(
  tx: Tx,
  jobs: Jobs,
  scan: number,
  evidence: JobEvidence,
  appendEvent: AppendScanEvent,
): Promise<void> {
  if (evidence.job !== 'hook') {
    if (evidence.job === 'finalize' && (await restartFinalizing(tx, scan)))
      appendEvent(scan, { type: 'finalizing' });
    if (evidence.job) await jobs.send(tx, evidence.job, evidence.data ?? {});
    return;
  }
  const hook = await requeueHook(tx, { scan: evidence.scan!, round: evidence.round!, n: evidence.n! });
  if (hook) await jobs.send(tx, hookQueue(hostAffinityOfHook(hook.settings)), hook.job);
}

/** Its range is unbounded, because its listing is the list of these keys; it is never split. */
async function addRetryShard(tx: Tx, scan: number, keys: readonly Key[]): Promise<void> {
  const leases = await addLeases(tx, scan, [FULL_RANGE]);
  await disableSplits(tx, leases);
  await addShards(tx, scan, leases, 'retry');
  await addRetryKeys(tx, leases[0]!, keys);
}

export interface RetriedActions {
  readonly letters: number;
  /** Their workflows have ended and could not receive the result. Their letters stay open. */
  readonly tooLate: number;
}

/** Retries actions of workflows that failed permanently: they become pending, with fresh attempts. */
export function retryActionLetters(db: Database, filter: LetterFilter): Promise<RetriedActions> {
  return db.tx(async (tx) => {
    const actions = await markActionsRetrying(tx, filter);
    const revived = await requeueActions(tx, actions);
    const late = actions.filter((action) => !revived.has(action));
    await reopenActionDeadLetters(tx, late);
    return { letters: revived.size, tooLate: late.length };
  });
}
