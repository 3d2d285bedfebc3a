/** For commands that send jobs: without workers no other process would run them, so this one runs jobs meanwhile. */
import { startScanJobs } from '../app/scan-jobs.ts';
import type { App } from '../app.ts';
import { WakeSignal } from '../base/wake-signal.ts';
import type { Jobs } from '../engine/jobs/jobs.ts';
import { readScan } from '../scans/lifecycle/scan-store.ts';

const WAIT_TIMEOUT_MS = 10_000;

/** With `scan`: waits until the scan has ended, at most WAIT_TIMEOUT_MS; after that its jobs are left to other processes. */
export async function withJobs<T>(
  app: App,
  fn: (jobs: Jobs) => Promise<T>,
  scan: number | null = null,
): Promise<T> {
  const wakeSignal = new WakeSignal();
  const warn = (message: string) => void process.stderr.write(`seine: ${message}\n`);
  const jobs = await startScanJobs(app, wakeSignal, warn, null); // short-lived, so it runs no planning jobs
  try {
    const result = await fn(jobs);
    const deadline = performance.now() + WAIT_TIMEOUT_MS;
    while (scan !== null && performance.now() < deadline) {
      const row = await readScan(app.db, scan);
      if (row?.finishedAt !== null) break;
      await wakeSignal.wait(100);
    }
    return result;
  } finally {
    await jobs.stop();
  }
}
