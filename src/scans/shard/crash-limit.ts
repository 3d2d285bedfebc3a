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
import { withRetry } from '../../base/retry.ts';
import type { Database } from '../../db/database.ts';
import type { Jobs } from '../../engine/jobs/jobs.ts';
import type { HeldLease } from '../../engine/leases/lease.ts';
import { reasonText } from '../results/reason-code.ts';
import type { ShardEnd } from '../run-shard.ts';
import { countCrashes, deleteShardRun, deleteShardRuns, recordShardRun } from './crash-store.ts';
import { failShard } from './requeue-or-fail.ts';
import { DATABASE_RETRY_TIMEOUT_MS } from './shard-progress.ts';

const CLAIMS_BEFORE_RECORD = 3;
const MAX_CRASHES = 8;

export interface CrashLimitDeps {
  readonly db: Database;
  readonly jobs: Jobs;
  readonly worker: string;
  readonly onError: (scan: number, reason: string) => void;
}

/** Runs the shard, or fails it instead because it has crashed too many processes. */
export async function runWithCrashLimit(
  held: HeldLease,
  tools: CrashLimitDeps,
  signal: AbortSignal,
  run: () => Promise<ShardEnd>,
): Promise<ShardEnd | 'given up'> {
  if (held.claimsSinceProgress < CLAIMS_BEFORE_RECORD) return run();
  const { db, worker } = tools;
  const crashes = await countCrashes(db, held);
  if (crashes >= MAX_CRASHES) return failCrashingShard(held, tools, crashes);
  await recordShardRun(db, held, worker);
  try {
    return await run();
  } finally {
    // Retried during an outage of the database: a remaining record would count as a crash.
    const forget = () => deleteShardRun(db, held, worker);
    await withRetry(forget, { forMs: DATABASE_RETRY_TIMEOUT_MS, signal }).catch(() => {});
  }
}

async function failCrashingShard(
  held: HeldLease,
  tools: CrashLimitDeps,
  crashes: number,
): Promise<'given up'> {
  const reason = `worker-crashes: ${crashes}`;
  await failShard(held, tools, reason);
  await deleteShardRuns(tools.db, held); // a retry starts counting from zero
  tools.onError(held.work, `a shard was given up: it ${reasonText(reason)}`);
  return 'given up';
}
