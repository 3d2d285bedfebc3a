/**
 * The worker loops of a process: each claims a shard, runs it, and claims the next; one that finds none
 * steals a part of a running shard. A process works on one scan until it ends (`runScan`), or on any scans
 * (`runWorker`). Nothing here assumes that it is the only process.
 */

import { messageOf } from '../base/errors.ts';
import { claimLease } from '../engine/leases/claim-store.ts';
import type { HeldLease } from '../engine/leases/lease.ts';
import { readScan } from './lifecycle/scan-store.ts';
import { SHARD } from './lifecycle/start-scan.ts';
import { PLAIN_NAMES } from './names/name-masker.ts';
import { openShard } from './open-shard.ts';
import { runShard, type ShardEnd } from './run-shard.ts';
import { beginShardRun } from './shard/crash-limit.ts';
import { retryThroughOutage } from './shard/database-outage.ts';
import { requeueOrFail } from './shard/requeue-or-fail.ts';
import { ScanHeartbeat } from './shard/scan-heartbeat.ts';
import { ShardClaimer, StartingShards } from './shard/shard-claimer.ts';
import { stealableScans } from './shard/shard-store.ts';
import type { WorkerContext } from './worker-context.ts';

const HEARTBEAT_INTERVAL_MS = 500;
const EVICT_INTERVAL_MS = 30_000;
/** Consecutive errors after which a process that works on one scan throws instead of waiting longer. */
const MAX_FAILURES_IN_A_ROW = 7;

/** The concurrent loops of a process. */
interface WorkerLoops {
  readonly worker: WorkerContext;
  readonly claimer: ShardClaimer;
  readonly heartbeat: ScanHeartbeat;
  readonly starting: StartingShards;
  /** The only scan of this process: its first permanent error ends the loops. Null: errors of one scan don't affect the others. */
  readonly onlyScan: number | null;
}

/**
 * Runs until the scan has ended, was paused or interrupted elsewhere, or `signal` is aborted. Throws the
 * first permanent failure.
 */
export async function runScan(scan: number, worker: WorkerContext, signal: AbortSignal): Promise<void> {
  const { db, contexts, wakeSignal } = worker;
  const heartbeat = new ScanHeartbeat(db, HEARTBEAT_INTERVAL_MS);
  const starting = new StartingShards();
  const claimer = new ShardClaimer({
    claim: () => claimShard(worker, scan),
    isBusy: () => starting.any || (worker.isBusy?.() ?? false),
    isOver: async () => !['planning', 'running', 'finalizing'].includes((await readScan(db, scan))!.status),
    steal: async (stop) => (await contexts.of(scan)).stealer.steal(stop),
    wakeSignal,
    maxPauseMs: 100,
  });
  try {
    await claimAndRunShards({ worker, claimer, heartbeat, starting, onlyScan: scan }, signal);
  } finally {
    heartbeat.stop();
    await contexts.close();
  }
}

/** Runs until `signal` is aborted. Errors of one scan don't affect the others. */
export async function runWorker(worker: WorkerContext, signal: AbortSignal): Promise<void> {
  const { db, contexts, wakeSignal } = worker;
  const heartbeat = new ScanHeartbeat(db);
  const starting = new StartingShards();
  const claimer = new ShardClaimer({
    claim: () => claimShard(worker, null),
    isBusy: () => starting.any || (worker.isBusy?.() ?? false),
    isOver: async () => false,
    steal: (stop) => stealFromAnyScan(worker, stop),
    wakeSignal,
    maxPauseMs: 1000,
  });
  const evicting = setInterval(
    () => void contexts.evictIdle((scan) => heartbeat.isActive(scan)),
    EVICT_INTERVAL_MS,
  );
  try {
    await claimAndRunShards({ worker, claimer, heartbeat, starting, onlyScan: null }, signal);
  } finally {
    clearInterval(evicting);
    heartbeat.stop();
    await contexts.close();
  }
}

/** Runs shards, several at a time. A permanent failure stops the other loops after their checkpoints, and is then thrown. */
async function claimAndRunShards(loops: WorkerLoops, signal: AbortSignal): Promise<void> {
  const failed = new AbortController();
  const stop = AbortSignal.any([signal, failed.signal]);
  const loop = async () => {
    try {
      for (;;) {
        const held = await loops.claimer.next(stop);
        if (held === null) return;
        await runClaimedShard(held, loops, stop).catch((error) => handleFailure(held, loops, error, stop));
      }
    } catch (error) {
      failed.abort();
      throw error;
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: loops.worker.concurrency }, loop));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}

/** `failed`: the shard was not run again, because it has crashed too many processes. */
async function runClaimedShard(
  claimed: HeldLease,
  { worker, heartbeat, starting }: WorkerLoops,
  signal: AbortSignal,
): Promise<ShardEnd | 'failed'> {
  const onStart = () => void (starting.end(claimed.id) && worker.wakeSignal.notifyAll());
  starting.begin(claimed.id);
  await heartbeat.begin(claimed.groupId);
  try {
    const endRun = await beginShardRun(claimed, worker, signal);
    if (endRun === null) return 'failed';
    try {
      const shard = await openShard(claimed, worker, onStart, signal);
      if (shard === null) return 'lost';
      return await runShard(shard.held, shard.context, AbortSignal.any([signal, shard.scanStopped]));
    } finally {
      await endRun();
    }
  } finally {
    onStart();
    await heartbeat.end(claimed.groupId);
  }
}

/** Requeues the shard. Throws if the loops must end. */
async function handleFailure(
  claimed: HeldLease,
  { worker, onlyScan }: WorkerLoops,
  error: unknown,
  signal: AbortSignal,
): Promise<void> {
  if (signal.aborted) return;
  const { contexts } = worker;
  const scan = claimed.groupId;
  const { names } = await contexts.of(scan).catch(() => ({ names: PLAIN_NAMES }));
  worker.onError(scan, names.message(messageOf(error)));
  const { failed, errorsSinceProgress } = await retryThroughOutage(
    () => requeueOrFail(claimed, worker, error, names),
    signal,
  );
  const fault = await contexts.of(scan).then(
    ({ queue }) => queue.fault,
    (openError: Error) => openError,
  );
  if (onlyScan !== null && (failed || fault || errorsSinceProgress > MAX_FAILURES_IN_A_ROW)) throw error;
  if (contexts.fault) throw contexts.fault; // without threads no scan can be processed
  if (fault) await contexts.drop(scan); // reopened with the next shard
}

function claimShard(
  { db, worker, hostAffinity, offers, ttlMs }: WorkerContext,
  scan: number | null,
): Promise<HeldLease | null> {
  return claimLease(db, { kind: SHARD, groupId: scan, holder: worker, hostAffinity, offers, ttlMs });
}

async function stealFromAnyScan(
  { contexts, db, hostAffinity, offers }: WorkerContext,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    for (const scan of await stealableScans(db, hostAffinity, offers)) {
      const { stealer } = await contexts.of(scan);
      if (await stealer.steal(signal)) return true;
    }
  } catch {
    // Errors of this scan are also met, and reported, by its holders.
  }
  return false;
}
