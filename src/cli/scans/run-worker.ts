/** `seine worker`: registers, processes scans, runs maintenance while it is leader, drains when it is interrupted. */

import { closeUnlessUnreachable } from '../../app/close-unless-unreachable.ts';
import { startMaintenance } from '../../app/maintenance.ts';
import { type ScanRuntime, startScanRuntime } from '../../app/scan-runtime.ts';
import { openWorkingApp } from '../../app.ts';
import type { Config } from '../../config.ts';
import type { Database } from '../../db/database.ts';
import type { Leader } from '../../engine/leader/leader.ts';
import { waitingHooks } from '../../scans/hooks/hook-store.ts';
import { runWorker } from '../../scans/run-scan.ts';
import { LiveCounters } from '../../scans/shard/live-counters.ts';
import { unfinishedScans } from '../../scans/shard/shard-store.ts';
import type { WorkerContext } from '../../scans/worker-context.ts';
import { interruptible } from '../interrupt.ts';
import { groupDigits, humanBytes } from '../output/quantities.ts';

export interface WorkerOptions {
  readonly untilIdle: boolean;
  readonly quiet: boolean;
  readonly json: boolean;
}

const STATUS_EVERY_MS = 10_000;
const IDLE_CHECK_MS = 200;

export async function runWorkerCommand(config: Config, options: WorkerOptions): Promise<void> {
  const log = (sentence: string) => void (options.quiet || process.stderr.write(`${sentence}\n`));
  const warn = (message: string) => log(`seine: ${message}`);
  const app = await openWorkingApp(config, warn);
  const live = new LiveCounters();
  try {
    await interruptible(async (asked) => {
      const idle = new AbortController();
      const stop = AbortSignal.any([asked, idle.signal]);
      const runtime = await startScanRuntime(app, {
        concurrency: config.concurrency,
        live: () => live,
        warn,
        draining: () => asked.aborted,
      });
      let leader: Leader | null = null;
      let statusTimer: NodeJS.Timeout | undefined;
      let idleTimer: NodeJS.Timeout | undefined;
      try {
        const { worker } = runtime.context;
        await runtime.pool.ready(config.threads); // or the first object would wait for the threads to start
        log(
          `Worker ${worker.slice(0, 8)} is ready: ${config.concurrency} shards at a time, ${config.threads} threads.`,
        );
        leader = startMaintenance(app, runtime.context.jobs, worker, warn);
        statusTimer = setInterval(() => log(statusOf(live)), STATUS_EVERY_MS);
        if (options.untilIdle)
          idleTimer = setInterval(() => void endWhenIdle(app.db, runtime, idle), IDLE_CHECK_MS);
        await runWorker(runtime.context, stop);
      } finally {
        clearInterval(statusTimer);
        clearInterval(idleTimer);
        await closeUnlessUnreachable(app.db, async () => {
          await leader?.stop();
          await runtime.close();
        });
      }
    });
    log(`Worker stopped. ${statusOf(live)}`);
    if (options.json) process.stdout.write(`${JSON.stringify(countsOf(live))}\n`);
  } finally {
    await app.close();
  }
}

async function endWhenIdle(db: Database, { context }: ScanRuntime, idle: AbortController): Promise<void> {
  if (await isIdle(db, context).catch(() => false)) idle.abort();
}

/** Checks scans before hooks: a scan that ends in between adds its hooks. */
async function isIdle(db: Database, { hostAffinity, offers }: WorkerContext): Promise<boolean> {
  return (
    (await unfinishedScans(db, hostAffinity, offers)) === 0 && (await waitingHooks(db, hostAffinity)) === 0
  );
}

function statusOf({ objects, bytes, findings }: LiveCounters): string {
  return `${groupDigits(objects)} objects, ${humanBytes(bytes)}, ${groupDigits(findings)} findings so far.`;
}

function countsOf({ objects, bytes, unchangedBytes, findings, refused }: LiveCounters) {
  return { objects, bytes, unchangedBytes, findings, refused };
}
