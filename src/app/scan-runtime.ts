/** Starts and stops what a process needs to run scans: jobs, worker registration, detection threads, sources. */

import packageJson from '../../package.json' with { type: 'json' };
import type { App } from '../app.ts';
import { startPollingLoop } from '../base/polling-loop.ts';
import { WakeSignal } from '../base/wake-signal.ts';
import { settingsFor } from '../config/source-config.ts';
import { queueOfNotification } from '../engine/jobs/job-store.ts';
import { createLimiter, type Limiter } from '../engine/limits/limiter.ts';
import { createSampledWake, WORK_CHANNEL } from '../engine/workers/work-channel.ts';
import { hostAffinity, startWorkerRegistration } from '../engine/workers/worker.ts';
import { countWorkers } from '../engine/workers/worker-store.ts';
import { DetectionPool } from '../scans/detect/pool.ts';
import { pauseExhaustedScan } from '../scans/lifecycle/control-scan.ts';
import { offersOf } from '../scans/results/fingerprint-key.ts';
import { OpenScanContexts } from '../scans/scan-context.ts';
import type { LiveCounters } from '../scans/shard/live-counters.ts';
import type { WorkerContext } from '../scans/worker-context.ts';
import { closeUnlessUnreachable } from './close-unless-unreachable.ts';
import { openRequestGate } from './open-request-gate.ts';
import { type OpenRequestGate, startScanJobs } from './scan-jobs.ts';

export interface ScanRuntimeOptions {
  readonly concurrency: number;
  readonly live: () => LiveCounters;
  readonly warn: (message: string) => void;
  readonly draining?: () => boolean;
}

export interface ScanRuntime {
  readonly context: WorkerContext;
  readonly pool: DetectionPool;
  close(): Promise<void>;
}

/**
 * `live` is called when needed: the counters of a resumed scan start with what is done. If a component fails to start, those started
 * before are stopped, or their loops would keep the process alive.
 */
export async function startScanRuntime(app: App, options: ScanRuntimeOptions): Promise<ScanRuntime> {
  const parts = new AsyncDisposableStack();
  const close = () => closeUnlessUnreachable(app.db, () => parts.disposeAsync());
  try {
    return { ...(await startComponents(app, options, parts)), close };
  } catch (error) {
    await close().catch(() => {}); // the start error is the one to report
    throw error;
  }
}

async function startComponents(
  app: App,
  options: ScanRuntimeOptions,
  parts: AsyncDisposableStack,
): Promise<Omit<ScanRuntime, 'close'>> {
  const { config, db, secret } = app;
  const { concurrency, warn } = options;
  const wakeSignal = new WakeSignal();
  let workers = 1;
  const counting = startPollingLoop('count workers', async () => {
    workers = Math.max(1, await countWorkers(db, config.staleMs).catch(() => workers));
    return config.staleMs / 4;
  });
  parts.defer(() => counting.stop());
  const limiter = createLimiter({ db, redisUrl: config.redisUrl, workers: () => workers, log: warn });
  parts.defer(() => limiter.close());
  const gates: OpenRequestGate = (scan, quota, spent) => openRequestGate(app, limiter, scan, quota, spent);
  const jobs = await startScanJobs(app, wakeSignal, warn, gates);
  parts.defer(() => jobs.stop());
  const pool = new DetectionPool(config.threads, {
    stallMs: config.stallMs,
    readsAtOnce: config.readsAtOnce,
    ...(config.megabytes !== undefined && { memoryMegabytes: config.megabytes }),
  });
  parts.defer(() => pool.stop());
  const worker = await startWorkerRegistration(db, {
    version: packageJson.version,
    threads: config.threads,
    concurrency,
    heartbeatMs: config.heartbeatMs,
    progress: () => progressOf(options, pool, limiter),
  });
  parts.defer(() => worker.leave().catch(() => {})); // fails if the database is unreachable
  const wakeForLeases = createSampledWake(
    () => wakeSignal.notifyAll(),
    () => workers,
  );
  const stopListening = await db.listen(WORK_CHANNEL, (payload) => {
    const queue = queueOfNotification(payload);
    if (queue === null) wakeForLeases(payload);
    else jobs.wake(queue);
  });
  parts.defer(stopListening);
  const contexts = new OpenScanContexts({
    db,
    pool,
    secret,
    maxRetries: config.maxRetries,
    settingsFor: (target) => settingsFor(config, target)?.settings,
    openGate: gates,
    onBudgetExhausted: (scan, why) => pauseExhaustedScan(db, scan, why),
    onIgnored: (count) => {
      options.live().ignored += count;
    },
  });
  parts.defer(() => contexts.close());
  const context: WorkerContext = {
    db,
    jobs,
    contexts,
    get live() {
      return options.live();
    },
    ttlMs: config.leaseMs,
    worker: worker.id,
    hostAffinity: hostAffinity(),
    offers: offersOf(secret),
    concurrency,
    wakeSignal,
    isBusy: () => pool.busy,
    onError: (scan, reason) => warn(`scan ${scan}: ${reason}`),
  };
  return { context, pool };
}

function progressOf({ live, draining }: ScanRuntimeOptions, pool: DetectionPool, limiter: Limiter) {
  const { objects, bytes, findings, refused } = live();
  return {
    objects,
    bytes: bytes + pool.bytesUnderWay,
    findings,
    fencedWrites: refused,
    waitedMs: limiter.stats().reduce((sum, wait) => sum + wait.waitedMs, 0),
    draining: draining?.() ?? false,
  };
}
