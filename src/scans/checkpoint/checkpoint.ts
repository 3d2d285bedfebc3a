/**
 * The only write of the data plane. Cursor, lease, coverage, findings and inventory are updated in one
 * transaction, guarded by the lease's token: a crash repeats work and loses none, and a worker that lost
 * its lease writes nothing.
 */
import type { Key } from '../../base/key.ts';
import type { Tx } from '../../db/database.ts';
import type { HeldLease } from '../../engine/leases/lease.ts';
import { checkpointLease } from '../../engine/leases/lease-store.ts';
import type { AppendScanEvent } from '../lifecycle/scan-events.ts';
import { SegmentBatch } from '../segments/segment-batch.ts';
import type { CheckpointBatch } from './checkpoint-batch.ts';
import { addToShard } from './result-store.ts';
import { type BatchContext, writeBatch } from './write-batch.ts';
import { writeIsolated } from './write-isolated.ts';

export interface CheckpointUpdate extends BatchContext {
  readonly reserved: Key;
  readonly ttlMs: number;
  /** The results of `(held.cursor, cursor]`. */
  readonly tally: CheckpointBatch | SegmentBatch;
  /** The start of the scan has already been recorded. */
  readonly started: boolean;
}

/**
 * Returns null when the lease is lost; then nothing was written. `isolated`: PostgreSQL rejected some rows;
 * write the others.
 */
export async function checkpoint(
  tx: Tx,
  held: HeldLease,
  update: CheckpointUpdate,
  appendEvent: AppendScanEvent,
  isolated = false,
): Promise<HeldLease | null> {
  const moved = await checkpointLease(tx, held, update);
  if (!moved || moved.repeated) return moved?.held ?? null;
  if (held.checkpointSeq === 0 && !update.started)
    appendEvent(held.groupId, { type: 'started', shard: held.id });
  const { tally } = update;
  if (tally.listed === 0) return moved.held;
  if (tally instanceof SegmentBatch) await tally.write(tx, held, update.inventoryKey, isolated);
  else {
    await (isolated ? writeIsolated : writeBatch)(tx, held, tally, update, appendEvent);
    await addToShard(tx, held.id, update.retrying ? 0 : tally.listed, tally.bytesRead);
  }
  return moved.held;
}
