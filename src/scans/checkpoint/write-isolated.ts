/**
 * Writes a window after PostgreSQL rejected some of its rows. The batch is bisected until the rejected
 * objects are isolated; each of those is recorded as dead, with a dead letter, and all others as usual.
 * Every object is counted once, so the coverage still equals the listing. Only used after a first
 * rejection, see shard-progress.ts.
 */
import type { Tx } from '../../db/database.ts';
import { rejectionReason, writeInSavepoint } from '../../db/rejected-data.ts';
import type { HeldLease } from '../../engine/leases/lease.ts';
import type { AppendScanEvent } from '../lifecycle/scan-events.ts';
import { type Inspection, notRead } from '../results/inspection.ts';
import type { CheckpointBatch } from './checkpoint-batch.ts';
import { addToLedger } from './result-store.ts';
import { type BatchContext, removeEarlierResults, writeBatch } from './write-batch.ts';

export async function writeIsolated(
  tx: Tx,
  held: HeldLease,
  tally: CheckpointBatch,
  to: BatchContext,
  appendEvent: AppendScanEvent,
): Promise<void> {
  const refused = await writeInSavepoint(tx, () => writeBatch(tx, held, tally, to, appendEvent));
  if (refused === null) return;
  const [left, right] = tally.halves();
  if (right === null) return writeRefused(tx, held, left, to, refused, appendEvent);
  await writeIsolated(tx, held, left, { ...to, cursor: left.keys.at(-1)! }, appendEvent);
  await writeIsolated(tx, held, right, to, appendEvent);
}

/** Writes one rejected object. If even its row as a dead object is rejected, it is only counted. */
async function writeRefused(
  tx: Tx,
  held: HeldLease,
  tally: CheckpointBatch,
  to: BatchContext,
  error: unknown,
  appendEvent: AppendScanEvent,
): Promise<void> {
  const dead = tally.withOutcome(notStored(error));
  if ((await writeInSavepoint(tx, () => writeBatch(tx, held, dead, to, appendEvent))) === null) return;
  const before = to.retrying ? await removeEarlierResults(tx, held.groupId, dead.keysOfAllVersions) : [];
  await addToLedger(tx, held.groupId, held.id, [...dead.ledger([]), ...before]);
}

/** The outcome of an object, or of a segment chunk of a huge one, whose result is rejected. */
export function notStored(error: unknown): Inspection {
  const evidence = { error: rejectionReason(error) };
  return { ...notRead('dead', 'result-not-stored', false), evidence };
}
