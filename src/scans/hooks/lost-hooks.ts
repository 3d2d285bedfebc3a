/**
 * Hooks whose job is lost: it was deleted because it was not claimed for two weeks, or it waits for a host that is
 * gone. The row of the hook is authoritative, not the job: it is pending until an attempt ends it, so a
 * missing job can be sent again any number of times, and the result is still recorded once.
 */
import type { Database, Tx } from '../../db/database.ts';
import { deleteUnclaimedJobs } from '../../engine/jobs/job-store.ts';
import { pgBossJobs } from '../../engine/jobs/pg-boss-transfer.ts';
import { AFFINITY_QUEUE_PREFIX, type HookJob, hookQueue, hostAffinityOfHook } from './hook.ts';
import type { SendHook } from './hook-context.ts';
import { lockLostHooks, lostHooks, moveNextHooks, takeOverHooks } from './waiting-store.ts';

/** Sends a job for each hook that has lost its own. Returns how many. */
export async function resendHooks(tx: Tx, send: SendHook): Promise<number> {
  await lockLostHooks(tx);
  const missing = await lostHooks(tx);
  if (missing.length === 0) return 0;
  const ofPreviousVersion = new Set((await pgBossJobs(tx, 'hook')).map((job) => idOf(job as HookJob)));
  const lost = missing.filter((job) => !ofPreviousVersion.has(idOf(job)));
  for (const { settings, ...job } of lost) await send(tx, hookQueue(hostAffinityOfHook(settings)), job, 0);
  return lost.length;
}

const idOf = ({ scan, round, n, attempt }: HookJob) => [scan, round, n, attempt].join(' ');

/**
 * Moves hooks that wait for another host to this one, and sends missing jobs. Returns how many hooks were
 * moved.
 */
export function runHooksOnThisHost(
  db: Database,
  send: SendHook,
  scan: number,
  place: string,
): Promise<number> {
  return db.tx(async (tx) => {
    const moved = await takeOverHooks(tx, scan, place);
    if (moved > 0) await moveNextHooks(tx, scan, place);
    await resendHooks(tx, send);
    return moved;
  });
}

const UNCLAIMED_DAYS = 14;

/**
 * Each container has its own host affinity, so jobs for hosts that are gone would accumulate. A hook that still waits gets a
 * new one. Returns how many were deleted.
 */
export function deleteJobsOfGoneHosts(tx: Tx): Promise<number> {
  return deleteUnclaimedJobs(tx, AFFINITY_QUEUE_PREFIX, UNCLAIMED_DAYS);
}
