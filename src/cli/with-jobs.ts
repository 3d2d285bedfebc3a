/** For commands that send jobs: somebody must run them, so this process does, as long as `scan` needs it to end. */
import { startScanJobs } from '../app/scan-jobs.ts';
import type { App } from '../app.ts';
import { WakeSignal } from '../base/wake-signal.ts';
import type { Jobs } from '../engine/jobs/jobs.ts';
import { readScan } from '../scans/lifecycle/scan-store.ts';

const WAIT_TIMEOUT_MS = 10_000;

/** With a scan: until it has ended, or a moment has passed; then it is left to others. */
export async function withJobs<T>(
  app: App,
  work: (jobs: Jobs) => Promise<T>,
  scan: number | null = null,
): Promise<T> {
  const wakeSignal = new WakeSignal();
  const warn = (message: string) => void process.stderr.write(`seine: ${message}\n`);
  const jobs = await startScanJobs(app, wakeSignal, warn, null); // it leaves soon, and plans nothing
  try {
    const result = await work(jobs);
    const patience = performance.now() + WAIT_TIMEOUT_MS;
    while (scan !== null && performance.now() < patience) {
      const row = await readScan(app.db, scan);
      if (row?.finishedAt !== null) break;
      await wakeSignal.wait(100);
    }
    return result;
  } finally {
    await jobs.stop();
  }
}
