/**
 * Hooks whose job is lost: it was never fetched and expired after two weeks, or it waits for a host that is
 * gone. The row of the hook is authoritative, not the job: it is pending until an attempt ends it, so a
 * missing job can be sent again any number of times, and the result is still recorded once.
 */
import type { Database, Tx } from '../../db/database.ts';
import { lockUnusedQueues, removeQueues } from '../../engine/jobs/job-store.ts';
import { AFFINITY_QUEUE_PREFIX, hookQueue, hostAffinityOfHook } from './hook.ts';
import type { SendHook } from './hook-context.ts';
import {
  affinitiesOfWaiting,
  lockLostHooks,
  lostHooks,
  moveNextHooks,
  takeOverHooks,
} from './waiting-store.ts';

/** Sends a job for each hook that has lost its own. Returns how many. */
export async function resendHooks(tx: Tx, send: SendHook): Promise<number> {
  await lockLostHooks(tx);
  const lost = await lostHooks(tx);
  for (const { settings, ...job } of lost) await send(tx, hookQueue(hostAffinityOfHook(settings)), job, 0);
  return lost.length;
}

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

/**
 * Each container has its own host affinity, so queues would accumulate: removes those that are unused and
 * that no hook waits for. Returns how many.
 */
export async function removeUnusedQueues(tx: Tx): Promise<number> {
  const unused = await lockUnusedQueues(tx, AFFINITY_QUEUE_PREFIX);
  if (unused.length === 0) return 0;
  const awaited = new Set((await affinitiesOfWaiting(tx)).map(hookQueue));
  return removeQueues(
    tx,
    unused.filter((name) => !awaited.has(name)),
  );
}
