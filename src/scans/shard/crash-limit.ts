/**
 * A shard that ends its process while no object is looked at alone (as its source is opened, listed, written down) leaves no suspect
 * behind, and would be claimed and end another process without end. So from the third claim without progress on, a run is put on
 * record before it begins, and whoever leaves it alive takes the record back: released, completed, lost or with an error. Records
 * that stay are runs whose process died; after eight of them the shard is given up, with a dead letter.
 *
 * What does not count: a lease that expired while its worker lives (the database was away, the machine was paused), because that
 * worker takes the record back, and until then is seen in the registry; claims before progress, because the record has the cursor. An
 * object that ends the process is given up after three runs (poison-guard.ts), and that is progress.
 *
 * Shards that run in the same process die with the one that is to blame. Those that get on meanwhile are not given up; the others can
 * be retried like it.
 */
import { withRetry } from '../../base/retry.ts';
import type { Database } from '../../db/database.ts';
import type { Jobs } from '../../engine/jobs/jobs.ts';
import type { HeldLease } from '../../engine/leases/lease.ts';
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

/** Runs the shard, or gives it up instead because it has ended too many processes. */
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
    // A database that is away is waited for: a record that stays would count as a crash.
    const forget = () => deleteShardRun(db, held, worker);
    await withRetry(forget, { forMs: DATABASE_RETRY_TIMEOUT_MS, signal }).catch(() => {});
  }
}

async function failCrashingShard(
  held: HeldLease,
  tools: CrashLimitDeps,
  crashes: number,
): Promise<'given up'> {
  const reason = `crashed the worker ${crashes} times`;
  await failShard(held, tools, reason);
  await deleteShardRuns(tools.db, held); // a retry begins to count anew
  tools.onError(held.work, `a shard was given up: it ${reason}`);
  return 'given up';
}
