/**
 * Limits how often a shard may crash its process. A crash while no object is processed in isolation (while
 * the source is opened or listed, or results are written) leaves no suspect, so the shard would be claimed
 * and crash processes for ever. From the third claim without progress on, a run is therefore recorded
 * before it starts, and a surviving process deletes the record when the shard is released, completed, lost
 * or failed with an error. Remaining records are runs whose process crashed; after eight of them the shard
 * fails, with a dead letter.
 *
 * Not counted: a lease that expired while its worker is alive (an outage of the database, a suspended
 * machine), because that worker deletes the record, and has a heartbeat until then; claims before progress,
 * because the record contains the cursor. An object that crashes the process fails after three runs
 * (poison-guard.ts), which is progress.
 *
 * Shards that run in the same process crash with the one at fault. Those that make progress in other runs
 * don't fail; the others can be retried like it.
 */
import type { HeldLease } from '../../engine/leases/lease.ts';
import { reasonText } from '../results/reason-code.ts';
import type { WorkerContext } from '../worker-context.ts';
import { countCrashes, deleteShardRun, deleteShardRuns, recordShardRun } from './crash-store.ts';
import { retryThroughOutage } from './database-outage.ts';
import { failShard } from './requeue-or-fail.ts';

const CLAIMS_BEFORE_RECORD = 3;
const MAX_CRASHES = 8;

type CrashLimitContext = Pick<WorkerContext, 'db' | 'jobs' | 'worker' | 'onError'>;

/**
 * Called before a shard is run. Returns the function to call when the run has ended, however it ended; or null if the shard has crashed
 * too many processes, and was failed instead.
 */
export async function beginShardRun(
  held: HeldLease,
  context: CrashLimitContext,
  signal: AbortSignal,
): Promise<(() => Promise<void>) | null> {
  if (held.claimsSinceProgress < CLAIMS_BEFORE_RECORD) return async () => {};
  const { db, worker } = context;
  const crashes = await countCrashes(db, held);
  if (crashes >= MAX_CRASHES) {
    await failCrashingShard(held, context, crashes);
    return null;
  }
  await recordShardRun(db, held, worker);
  // Retried during an outage of the database: a remaining record would count as a crash.
  return () => retryThroughOutage(() => deleteShardRun(db, held, worker), signal).catch(() => {});
}

async function failCrashingShard(
  held: HeldLease,
  context: CrashLimitContext,
  crashes: number,
): Promise<void> {
  const reason = `worker-crashes: ${crashes}`;
  await failShard(held, context, reason);
  await deleteShardRuns(context.db, held); // a retry starts counting from zero
  context.onError(held.groupId, `a shard failed permanently: it ${reasonText(reason)}`);
}
