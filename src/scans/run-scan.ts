/**
 * The worker loops of a process: each claims a shard, runs it, and claims the next; one that finds none
 * steals a part of a running shard. A process works on one scan until it ends (`runScan`), or on any scans
 * (`runWorker`). Nothing here assumes that it is the only process.
 */

import { messageOf } from '../base/errors.ts';
import type { WakeSignal } from '../base/wake-signal.ts';
import type { Database } from '../db/database.ts';
import type { Jobs } from '../engine/jobs/jobs.ts';
import { claimLease } from '../engine/leases/claim-store.ts';
import { type HeldLease, remainingRange, unsealLease } from '../engine/leases/lease.ts';
import { readRetryKeys, retrySource } from './dead-letters/retry-source.ts';
import { readScan } from './lifecycle/scan-store.ts';
import { SHARD } from './lifecycle/start-scan.ts';
import { PLAIN_NAMES } from './names/name-masker.ts';
import { runShard, type ShardEnd } from './run-shard.ts';
import type { ScanContext, ScanContextCache } from './scan-context.ts';
import { objectScoringFor } from './segments/assemble-segments.ts';
import { openSegment } from './segments/open-segment.ts';
import { runWithCrashLimit } from './shard/crash-limit.ts';
import type { LiveCounters } from './shard/live-counters.ts';
import { requeueOrFail } from './shard/requeue-or-fail.ts';
import { ScanHeartbeat } from './shard/scan-heartbeat.ts';
import { retryThroughOutage, ShardClaimer } from './shard/shard-claimer.ts';
import type { ShardDeps } from './shard/shard-progress.ts';
import { readShard, type ScanRevision, stealableScans } from './shard/shard-store.ts';
import { StartingShards } from './shard/starting-shards.ts';

export interface WorkerDeps {
  readonly db: Database;
  readonly jobs: Jobs;
  readonly contexts: ScanContextCache;
  readonly live: LiveCounters;
  readonly ttlMs: number;
  readonly worker: string;
  /** The host affinity: folders of this machine are only scanned by its own workers. */
  readonly hostAffinity: string;
  /** What scans may require of a worker: the check value of its fingerprint key. */
  readonly offers: readonly string[];
  readonly concurrency: number;
  /** Minimum size of objects that are read by segments, if not the default. */
  readonly minSegmentedBytes?: number | undefined;
  readonly wakeSignal: WakeSignal;
  /** The threads have enough queued work. */
  readonly isBusy?: () => boolean;
  /** Called with the reason when a shard was requeued. */
  readonly onError: (scan: number, reason: string) => void;
}

const HEARTBEAT_INTERVAL_MS = 500;
const EVICT_INTERVAL_MS = 30_000;
/** Consecutive errors after which a process that works on one scan throws instead of waiting longer. */
const MAX_FAILURES_IN_A_ROW = 7;

/**
 * Runs until the scan has ended, was paused or interrupted elsewhere, or `signal` is aborted. Throws the
 * first permanent failure.
 */
export async function runScan(scan: number, tools: WorkerDeps, signal: AbortSignal): Promise<void> {
  const { contexts } = tools;
  const signs = new ScanHeartbeat(tools.db, HEARTBEAT_INTERVAL_MS);
  const starting = new StartingShards();
  const claimer = new ShardClaimer({
    claim: () => claim(tools, scan),
    isBusy: () => starting.any || (tools.isBusy?.() ?? false),
    isOver: async () =>
      !['planning', 'running', 'finalizing'].includes((await readScan(tools.db, scan))!.status),
    steal: async (stop) => (await contexts.of(scan)).stealer.steal(stop),
    wakeSignal: tools.wakeSignal,
    maxPauseMs: 100,
  });
  try {
    await runConcurrently(tools.concurrency, signal, (stop) =>
      claimAndRunShards(claimer, signs, starting, tools, stop, 'strict'),
    );
  } finally {
    signs.stop();
    await contexts.close();
  }
}

/** Runs until `signal` is aborted. Errors of one scan don't affect the others. */
export async function runWorker(tools: WorkerDeps, signal: AbortSignal): Promise<void> {
  const { contexts } = tools;
  const signs = new ScanHeartbeat(tools.db);
  const starting = new StartingShards();
  const sweeping = setInterval(
    () => void contexts.evictIdle((scan) => signs.isActive(scan)),
    EVICT_INTERVAL_MS,
  );
  const claimer = new ShardClaimer({
    claim: () => claim(tools, null),
    isBusy: () => starting.any || (tools.isBusy?.() ?? false),
    isOver: async () => false,
    steal: (stop) => stealAnywhere(contexts, tools, stop),
    wakeSignal: tools.wakeSignal,
    maxPauseMs: 1000,
  });
  try {
    await runConcurrently(tools.concurrency, signal, (stop) =>
      claimAndRunShards(claimer, signs, starting, tools, stop, 'patient'),
    );
  } finally {
    clearInterval(sweeping);
    signs.stop();
    await contexts.close();
  }
}

/** The first failure stops the others in order, and is then thrown. */
async function runConcurrently(
  count: number,
  signal: AbortSignal,
  work: (stop: AbortSignal) => Promise<void>,
): Promise<void> {
  const failed = new AbortController();
  const stop = AbortSignal.any([signal, failed.signal]);
  const ends = Array.from({ length: count }, () =>
    work(stop).catch((error) => {
      failed.abort();
      throw error;
    }),
  );
  for (const end of await Promise.allSettled(ends)) if (end.status === 'rejected') throw end.reason;
}

/** One of the concurrent loops. */
async function claimAndRunShards(
  claimer: ShardClaimer,
  signs: ScanHeartbeat,
  starting: StartingShards,
  tools: WorkerDeps,
  signal: AbortSignal,
  manner: 'strict' | 'patient',
): Promise<void> {
  const { contexts } = tools;
  for (let held = await claimer.next(signal); held; held = await claimer.next(signal)) {
    const mine = held;
    const onStart = () => void (starting.end(mine.id) && tools.wakeSignal.notifyAll());
    starting.begin(mine.id);
    try {
      const run = () => runLease(mine, tools, onStart, signal);
      await signs.track(held.work, () => runWithCrashLimit(mine, tools, signal, run));
    } catch (error) {
      if (signal.aborted) return;
      const { names } = await contexts.of(held.work).catch(() => ({ names: PLAIN_NAMES }));
      tools.onError(held.work, names.message(messageOf(error)));
      const { failed, errorsSinceProgress } = await retryThroughOutage(
        () => requeueOrFail(mine, { ...tools, names }, error),
        signal,
      );
      const broken = await faultOf(contexts, held.work);
      if (manner === 'strict' && (failed || broken || errorsSinceProgress > MAX_FAILURES_IN_A_ROW))
        throw error;
      if (contexts.fault) throw contexts.fault; // without threads no scan can be processed
      if (broken) await contexts.drop(held.work); // reopened with the next shard
    } finally {
      onStart();
    }
  }
}

async function faultOf(contexts: ScanContextCache, scan: number): Promise<Error | null> {
  return contexts.of(scan).then(
    ({ queue }) => queue.fault,
    (error: Error) => error,
  );
}

async function runLease(
  claimed: HeldLease,
  tools: WorkerDeps,
  onStart: () => void,
  signal: AbortSignal,
): Promise<ShardEnd> {
  const { db, jobs, live, ttlMs, minSegmentedBytes } = tools;
  const { kind, ...now } = await retryThroughOutage(() => readShard(db, claimed.id), signal);
  const context = await currentContext(tools.contexts, claimed.work, now);
  const { source, queue, hash, scan, change, pacerState, names } = context;
  const held = kind === 'part' ? claimed : unsealLease(claimed, names);
  const stop = AbortSignal.any([signal, context.stopped]);
  const shard: ShardDeps = {
    db,
    jobs,
    live,
    ttlMs,
    source,
    queue,
    hash,
    base: scan.base,
    inventoryKey: context.inventoryKey,
    change,
    minSegmentedBytes,
    pacerState,
    onStart,
    started: now.started,
    names,
  };
  if (kind === 'range') return runShard(held, shard, stop);
  if (kind === 'part') {
    const segment = await openSegment(
      db,
      held,
      source,
      objectScoringFor(scan.ruleSet, scan.maxFindingsPerType),
      undefined,
      names,
    );
    if (segment === null) return 'lost';
    return runShard(held, { ...shard, source: segment.source, base: null, segment }, stop);
  }
  const keys = await readRetryKeys(db, held.id, remainingRange(held), names);
  const retryShard = { ...shard, source: retrySource(source, keys), base: null, retrying: true };
  return runShard(held, retryShard, stop);
}

/**
 * Returns the context, reopened if the scan was resumed under other rules or versions, or with its first
 * budget, since this process last used it.
 */
async function currentContext(
  contexts: ScanContextCache,
  scan: number,
  now: ScanRevision,
): Promise<ScanContext> {
  const context = await contexts.of(scan);
  if (isCurrent(context, now)) return context;
  await contexts.drop(scan);
  return contexts.of(scan);
}

function isCurrent({ scan, budgeted }: ScanContext, now: ScanRevision): boolean {
  return (
    scan.rulesHash === now.rulesHash &&
    scan.inventoryKey === now.inventoryKey &&
    scan.createdAt.getTime() === now.createdAt.getTime() &&
    budgeted === now.budgeted
  );
}

function claim(
  { db, worker, hostAffinity: place, offers, ttlMs }: WorkerDeps,
  scan: number | null,
): Promise<HeldLease | null> {
  return claimLease(db, { kind: SHARD, work: scan, holder: worker, hostAffinity: place, offers, ttlMs });
}

async function stealAnywhere(
  contexts: ScanContextCache,
  { db, hostAffinity: place, offers }: WorkerDeps,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    for (const scan of await stealableScans(db, place, offers)) {
      const { stealer } = await contexts.of(scan);
      if (await stealer.steal(signal)) return true;
    }
  } catch {
    // Errors of this scan are also met, and reported, by its holders.
  }
  return false;
}
