/**
 * The data plane's only write. Cursor, lease, ledger, findings and inventory move in one transaction, guarded by the
 * lease's token: a crash repeats work and loses none, and a worker that lost its lease writes nothing.
 */
import type { Key } from '../base/key.ts';
import type { Tx } from '../db/database.ts';
import type { Held } from '../engine/leases/lease.ts';
import { checkpointLease } from '../engine/leases/lease-store.ts';
import { PartTally } from './parts/part-tally.ts';
import { addToShard } from './result-store.ts';
import type { Tell } from './scan-events.ts';
import type { StretchTally } from './tally.ts';
import { writeIsolated } from './write-isolated.ts';
import { type TallyContext, writeTally } from './write-tally.ts';

export interface CheckpointTo extends TallyContext {
  readonly reserved: Key;
  readonly ttlMs: number;
  /** What happened in `(held.cursor, cursor]`. */
  readonly tally: StretchTally | PartTally;
  /** Somebody has told that the scan has begun. */
  readonly started: boolean;
}

/** Null: the lease is lost, nothing was written. `isolated`: PostgreSQL has refused some of it; what it takes is written. */
export async function checkpoint(
  tx: Tx,
  held: Held,
  to: CheckpointTo,
  tell: Tell,
  isolated = false,
): Promise<Held | null> {
  const moved = await checkpointLease(tx, held, to);
  if (!moved || moved.repeated) return moved?.held ?? null;
  if (held.step === 0 && !to.started) tell(held.work, { type: 'started', shard: held.id });
  const { tally } = to;
  if (tally.listed === 0) return moved.held;
  if (tally instanceof PartTally) await tally.write(tx, held, to.inventoryKey, isolated);
  else {
    await (isolated ? writeIsolated : writeTally)(tx, held, tally, to, tell);
    await addToShard(tx, held.id, to.retrying ? 0 : tally.listed, tally.bytesRead);
  }
  return moved.held;
}
