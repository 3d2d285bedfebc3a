/**
 * A shard that ends its process while no object is looked at alone (as its source is opened, listed, written down) leaves no suspect
 * behind, and would be claimed and end another process without end. So from the third claim without progress on, a run is put on
 * record before it begins, and whoever leaves it alive takes the record back: released, completed, lost or with an error. Records
 * that stay are runs whose process died; after eight of them the shard is given up, with a dead letter.
 *
 * What does not count: a lease that expired while its worker lives (the database was away, the machine was paused), because that
 * worker takes the record back, and until then is seen in the registry; claims before progress, because the record has the cursor. An
 * object that ends the process is given up after three runs (careful.ts), and that is progress.
 *
 * Shards that run in the same process die with the one that is to blame. Those that get on meanwhile are not given up; the others can
 * be retried like it.
 */
import { retrying } from '../base/retry.ts';
import type { Database } from '../db/database.ts';
import type { Jobs } from '../engine/jobs/jobs.ts';
import type { Held } from '../engine/leases/lease.ts';
import { countCrashes, forgetRun, forgetRuns, recordRun } from './crash-store.ts';
import { giveUpShard } from './put-back.ts';
import type { ShardEnd } from './run-shard.ts';
import { DATABASE_PATIENCE_MS } from './shard-progress.ts';

const CLAIMS_BEFORE_RECORD = 3;
const MOST_CRASHES = 8;

export interface CrashTools {
  readonly db: Database;
  readonly jobs: Jobs;
  readonly worker: string;
  readonly onTrouble: (scan: number, reason: string) => void;
}

/** Runs the shard, or gives it up instead because it has ended too many processes. */
export async function boundCrashes(
  held: Held,
  tools: CrashTools,
  signal: AbortSignal,
  run: () => Promise<ShardEnd>,
): Promise<ShardEnd | 'given up'> {
  if (held.attempts < CLAIMS_BEFORE_RECORD) return run();
  const { db, worker } = tools;
  const crashes = await countCrashes(db, held);
  if (crashes >= MOST_CRASHES) return giveUp(held, tools, crashes);
  await recordRun(db, held, worker);
  try {
    return await run();
  } finally {
    // A database that is away is waited for: a record that stays would count as a crash.
    const forget = () => forgetRun(db, held, worker);
    await retrying(forget, { forMs: DATABASE_PATIENCE_MS, signal }).catch(() => {});
  }
}

async function giveUp(held: Held, tools: CrashTools, crashes: number): Promise<'given up'> {
  const reason = `crashed the worker ${crashes} times`;
  await giveUpShard(held, tools, reason);
  await forgetRuns(tools.db, held); // a retry begins to count anew
  tools.onTrouble(held.work, `a shard was given up: it ${reason}`);
  return 'given up';
}
