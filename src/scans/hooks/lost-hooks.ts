/**
 * Hooks whose job is lost: it was never fetched and its queue forgot it after two weeks, or it waits at a place that is no more. The
 * row of the hook decides, not the job: it waits until a try ends it, so a job for that try can be sent as often as one is missing,
 * and what a hook does is still recorded once.
 */
import type { Database, Tx } from '../../db/database.ts';
import { lockUnusedQueues, removeQueues } from '../../engine/jobs/job-store.ts';
import { AFFINITY_QUEUE_PREFIX, hookQueue, hostAffinityOfHook } from './hook.ts';
import type { SendHook } from './hook-deps.ts';
import {
  affinitiesOfWaiting,
  lockLostHooks,
  lostHooks,
  moveNextHooks,
  takeOverHooks,
} from './waiting-store.ts';

/** A job for each hook that waits for one. How many were sent. */
export async function resendHooks(tx: Tx, send: SendHook): Promise<number> {
  await lockLostHooks(tx);
  const lost = await lostHooks(tx);
  for (const { settings, ...job } of lost) await send(tx, hookQueue(hostAffinityOfHook(settings)), job, 0);
  return lost.length;
}

/** Lets this place run what waits for another one, and sends what is missing. How many hooks came from elsewhere. */
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

/** Containers come and go, each a place of its own: queues that nobody uses and no hook waits for are removed. How many. */
export async function removeUnusedQueues(tx: Tx): Promise<number> {
  const unused = await lockUnusedQueues(tx, AFFINITY_QUEUE_PREFIX);
  if (unused.length === 0) return 0;
  const awaited = new Set((await affinitiesOfWaiting(tx)).map(hookQueue));
  return removeQueues(
    tx,
    unused.filter((name) => !awaited.has(name)),
  );
}
