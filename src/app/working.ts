/** What a process needs to work on scans, put together and taken apart: jobs, its place among the workers, threads, sources. */

import packageJson from '../../package.json' with { type: 'json' };
import type { App } from '../app.ts';
import { Bell } from '../base/bell.ts';
import { startLoop } from '../base/service.ts';
import { settingsFor } from '../config/source-config.ts';
import { createLimiter, type Limiter } from '../engine/limits/limiter.ts';
import { WORK_CHANNEL, wakeSome } from '../engine/workers/work-channel.ts';
import { joinWorkers, placeOf } from '../engine/workers/worker.ts';
import { countWorkers } from '../engine/workers/worker-store.ts';
import { pauseSpentScan } from '../scans/control.ts';
import { DetectionPool } from '../scans/detect/pool.ts';
import { offersOf } from '../scans/fingerprint-key.ts';
import type { LiveCounters } from '../scans/live-counters.ts';
import type { HandTools } from '../scans/run-scan.ts';
import { ScanContexts } from '../scans/scan-context.ts';
import { closeUnlessUnreachable } from './close-unless-unreachable.ts';
import { openGate } from './open-gate.ts';
import { type OpenGate, openJobs } from './scan-jobs.ts';

export interface WorkingOptions {
  readonly hands: number;
  readonly live: () => LiveCounters;
  readonly warn: (message: string) => void;
  readonly draining?: () => boolean;
}

export interface Working {
  readonly tools: HandTools;
  readonly pool: DetectionPool;
  close(): Promise<void>;
}

/**
 * `live` is asked when needed: the counters of a resumed scan begin with what is done. When a later part can't be started, those before it
 * are stopped: their loops would keep the process alive.
 */
export async function startWorking(app: App, options: WorkingOptions): Promise<Working> {
  const parts = new AsyncDisposableStack();
  const close = () => closeUnlessUnreachable(app.db, () => parts.disposeAsync());
  try {
    return { ...(await startParts(app, options, parts)), close };
  } catch (error) {
    await close().catch(() => {}); // why it could not start tells more
    throw error;
  }
}

async function startParts(
  app: App,
  options: WorkingOptions,
  parts: AsyncDisposableStack,
): Promise<Omit<Working, 'close'>> {
  const { config, db, secret } = app;
  const { hands, warn } = options;
  const news = new Bell();
  let workers = 1;
  const counting = startLoop('count workers', async () => {
    workers = Math.max(1, await countWorkers(db, config.staleMs).catch(() => workers));
    return config.staleMs / 4;
  });
  parts.defer(() => counting.stop());
  const limiter = createLimiter({ db, redisUrl: config.redisUrl, workers: () => workers, say: warn });
  parts.defer(() => limiter.close());
  const gates: OpenGate = (scan, quota, spent) => openGate(app, limiter, scan, quota, spent);
  const jobs = await openJobs(app, news, warn, gates);
  parts.defer(() => jobs.stop());
  const pool = new DetectionPool(config.threads, {
    stallMs: config.stallMs,
    readsAtOnce: config.readsAtOnce,
    ...(config.megabytes !== undefined && { megabytes: config.megabytes }),
  });
  parts.defer(() => pool.stop());
  const worker = await joinWorkers(db, {
    version: packageJson.version,
    threads: config.threads,
    hands,
    heartbeatMs: config.heartbeatMs,
    progress: () => progressOf(options, pool, limiter),
  });
  parts.defer(() => worker.leave().catch(() => {})); // a database that is gone can't be told
  const stopHearing = await db.listen(
    WORK_CHANNEL,
    wakeSome(
      () => news.ring(),
      () => workers,
    ),
  );
  parts.defer(stopHearing);
  const contexts = new ScanContexts({
    db,
    pool,
    secret,
    maxRetries: config.maxRetries,
    settingsFor: (target) => settingsFor(config, target)?.settings,
    openGate: gates,
    onSpent: (scan, why) => pauseSpentScan(db, scan, why),
    onIgnored: (count) => {
      options.live().ignored += count;
    },
  });
  parts.defer(() => contexts.close());
  const tools: HandTools = {
    db,
    jobs,
    contexts,
    get live() {
      return options.live();
    },
    ttlMs: config.leaseMs,
    worker: worker.id,
    place: placeOf(),
    offers: offersOf(secret),
    hands,
    news,
    isBusy: () => pool.busy,
    onTrouble: (scan, reason) => warn(`scan ${scan}: ${reason}`),
  };
  return { tools, pool };
}

function progressOf({ live, draining }: WorkingOptions, pool: DetectionPool, limiter: Limiter) {
  const { objects, bytes, findings, refused } = live();
  return {
    objects,
    bytes: bytes + pool.bytesUnderWay,
    findings,
    refused,
    waitedMs: limiter.waits().reduce((sum, wait) => sum + wait.waitedMs, 0),
    draining: draining?.() ?? false,
  };
}
