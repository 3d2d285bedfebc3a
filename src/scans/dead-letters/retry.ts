/**
 * Trying again what failed for good. Objects become a small shard of their scan, which is opened once more if it had ended:
 * their new outcome replaces the old one, the ledger and the totals follow, and the scan ends again. A shard goes on at its cursor; a
 * job is sent once more.
 */
import { type Key, keyFromBytes } from '../../base/key.ts';
import { EVERYTHING } from '../../base/range.ts';
import type { Database, Tx } from '../../db/database.ts';
import type { Jobs } from '../../engine/jobs/jobs.ts';
import { addLeases } from '../../engine/leases/lease-store.ts';
import { fixLeases } from '../../engine/leases/split-store.ts';
import { lockWork, pauseWork, reopenLeases } from '../../engine/leases/work-store.ts';
import { tellWorkers } from '../../engine/workers/work-channel.ts';
import { requireKey } from '../fingerprint-key.ts';
import { hookQueue, placeOfHook } from '../hooks/hook.ts';
import { reviveHook } from '../hooks/hook-letter-store.ts';
import { type Tell, telling } from '../scan-events.ts';
import { finalizeAgain, reopenScan } from '../scan-store.ts';
import { addShards } from '../shard-store.ts';
import {
  type JobEvidence,
  type LetterFilter,
  resolveLetters,
  type TakenLetter,
  takeLetters,
} from './letter-store.ts';
import { addRetryKeys } from './retry-source.ts';

export interface Retried {
  readonly letters: number;
  /** Scans of which something is to be looked at again. */
  readonly scans: readonly number[];
  /** Scans whose end, or what follows it, is to be done again. */
  readonly ends: readonly number[];
}

export async function retryLetters(db: Database, jobs: Jobs, filter: LetterFilter): Promise<Retried> {
  const retried = await telling(db, async (tx, tell) => {
    const letters = await takeLetters(tx, filter);
    const byScan = Map.groupBy(letters, (letter) => letter.scan);
    for (const [scan, ofScan] of byScan) await retryOf(tx, jobs, scan, ofScan, tell);
    await tellWorkers(tx);
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
  letters: readonly TakenLetter[],
  tell: Tell,
): Promise<void> {
  const of = (kind: TakenLetter['kind']) => letters.filter((letter) => letter.kind === kind);
  const [objects, shards] = [of('object'), of('shard')];
  if (objects.length + shards.length > 0) await lookAgain(tx, scan, objects, shards, tell);
  for (const { evidence } of of('job')) await sendAgain(tx, jobs, scan, evidence, tell);
  await resolveLetters(
    tx,
    [...shards, ...of('job').filter((letter) => letter.evidence.job !== 'hook')].map((letter) => letter.id),
  );
}

async function lookAgain(
  tx: Tx,
  scan: number,
  objects: readonly TakenLetter[],
  shards: readonly TakenLetter[],
  tell: Tell,
): Promise<void> {
  await lockWork(tx, scan);
  await requireKey(tx, scan);
  if (await reopenScan(tx, scan)) {
    await pauseWork(tx, scan, false);
    tell(scan, { type: 'reopened' });
  }
  const keys = objects.map(({ key }) => keyFromBytes(key!));
  if (keys.length > 0) await addRetryShard(tx, scan, keys);
  const leases = shards.map(({ lease }) => lease!);
  const reopened = leases.length > 0 ? await reopenLeases(tx, scan, leases) : 0;
  tell(scan, { type: 'retried', objects: keys.length, shards: reopened });
}

/** A hook remembers its tries, so it is set waiting again; the end of a scan needs one that has not ended; others are just sent. */
async function sendAgain(tx: Tx, jobs: Jobs, scan: number, evidence: JobEvidence, tell: Tell): Promise<void> {
  if (evidence.job !== 'hook') {
    if (evidence.job === 'finalize' && (await finalizeAgain(tx, scan))) tell(scan, { type: 'finalizing' });
    if (evidence.job) await jobs.send(tx, evidence.job, evidence.data ?? {});
    return;
  }
  const hook = await reviveHook(tx, { scan: evidence.scan!, round: evidence.round!, n: evidence.n! });
  if (hook) await jobs.send(tx, hookQueue(placeOfHook(hook.settings)), hook.job);
}

/** Its range is everything, for its listing is the list of these keys; nobody splits it. */
async function addRetryShard(tx: Tx, scan: number, keys: readonly Key[]): Promise<void> {
  const leases = await addLeases(tx, scan, [EVERYTHING]);
  await fixLeases(tx, leases);
  await addShards(tx, scan, leases, 'retry');
  await addRetryKeys(tx, leases[0]!, keys);
}
