/**
 * Handles a shard whose run threw: it is released with a back-off and retried; after too many failures
 * without progress it fails permanently: a gap in the scan, with a dead letter. Crashes of its holders
 * don't count here: see poison-guard.ts and crash-limit.ts.
 */

import { errorGroupKey } from '../../base/error-group-key.ts';
import { messageOf, SeineError } from '../../base/errors.ts';
import { backoff } from '../../base/retry.ts';
import { sanitizeText } from '../../db/sanitize.ts';
import type { HeldLease } from '../../engine/leases/lease.ts';
import { failLease, releaseWithBackoff, rereadLease } from '../../engine/leases/lease-store.ts';
import { AuthenticationError } from '../../sources/authentication-error.ts';
import { addDeadShard } from '../dead-letters/letter-store.ts';
import { startFinalizing } from '../lifecycle/finalize-scan.ts';
import { withScanEvents } from '../lifecycle/scan-events.ts';
import { type Names, PLAIN_NAMES } from '../names/name-masker.ts';
import { failSegment } from '../segments/end-segment.ts';
import type { ShardContext } from './shard-context.ts';
import { readShard } from './shard-store.ts';

const MAX_FAILURES = 8;
/** Higher than for other errors: an outage of minutes, or a token renewed late, must not leave a gap. */
const MAX_OUTAGES = 24;
const MAX_PAUSE_MS = 20_000;

export interface RequeueResult {
  /** The shard failed permanently. */
  readonly failed: boolean;
  /** Failed runs since the cursor last moved, this one included. */
  readonly errorsSinceProgress: number;
}

/**
 * `claimed`: the lease in its state at the claim. Its current counters are read again: each checkpoint that
 * moves the cursor resets them.
 */
export async function requeueOrFail(
  claimed: HeldLease,
  { db, jobs }: Pick<ShardContext, 'db' | 'jobs'>,
  error: unknown,
  names: Pick<Names, 'message'> = PLAIN_NAMES,
): Promise<RequeueResult> {
  const reason = sanitizeText(names.message(messageOf(error)));
  const held = await rereadLease(db, claimed);
  if (held === null) return { failed: false, errorsSinceProgress: 0 }; // lost: its current holder decides
  const errorsSinceProgress = held.errorsSinceProgress + 1;
  if (!isLast(errorsSinceProgress, error)) {
    const pause = backoff(held.errorsSinceProgress, { maxMs: MAX_PAUSE_MS });
    await releaseWithBackoff(db, held, reason, pause);
    return { failed: false, errorsSinceProgress };
  }
  return { failed: await failShard(held, { db, jobs }, reason), errorsSinceProgress };
}

/**
 * Returns true if it is a gap in the scan now, false if it was lost, or is a segment, whose object records
 * the gap.
 */
export async function failShard(
  held: HeldLease,
  { db, jobs }: Pick<ShardContext, 'db' | 'jobs'>,
  reason: string,
): Promise<boolean> {
  const { kind } = await readShard(db, held.id);
  if (kind === 'part' && (await db.tx((tx) => failSegment(tx, held, reason)))) return false;
  return withScanEvents(db, async (tx, appendEvent) => {
    const remaining = await failLease(tx, held, reason);
    if (remaining === null) return false; // lost: its current holder decides
    await addDeadShard(tx, held, reason);
    appendEvent(held.groupId, { type: 'shardFailed', shard: held.id, cause: errorGroupKey(reason) });
    if (remaining === 0) await startFinalizing(jobs, tx, held.groupId, appendEvent);
    return true;
  });
}

function isLast(failures: number, error: unknown): boolean {
  const mayPass = error instanceof AuthenticationError || (error instanceof SeineError && error.retry);
  return failures >= (mayPass ? MAX_OUTAGES : MAX_FAILURES);
}
