/**
 * Runs one scan in this process: detection threads, jobs, progress, Ctrl-C. Its results are in the database, where the commands
 * read them.
 */

import { type ScanRuntime, startScanRuntime } from '../../app/scan-runtime.ts';
import { type App, openWorkingApp } from '../../app.ts';
import type { Config } from '../../config.ts';
import type { Jobs } from '../../engine/jobs/jobs.ts';
import type { DetectionPool } from '../../scans/detect/pool.ts';
import { waitForHooks } from '../../scans/hooks/wait-for-hooks.ts';
import { pauseScan } from '../../scans/lifecycle/control-scan.ts';
import { readScan, type ScanRow } from '../../scans/lifecycle/scan-store.ts';
import { scopeOf } from '../../scans/lifecycle/scope.ts';
import { type SourceTotals, startBackgroundCount } from '../../scans/monitor/background-count.ts';
import { readLedger } from '../../scans/results/report-store.ts';
import { runScan } from '../../scans/run-scan.ts';
import { LiveCounters } from '../../scans/shard/live-counters.ts';
import { interruptible } from '../interrupt.ts';
import type { Progress, ProgressState } from '../output/progress/progress.ts';
import { groupDigits } from '../output/quantities.ts';

export interface ScanSession {
  readonly app: App;
  readonly scan: ScanRow;
  readonly interrupted: boolean;
  /** Interrupted by the user or the system: the caller must not wait for hooks. */
  readonly stopRequested: boolean;
}

export interface ScanSessionOptions {
  readonly progress: Progress;
  readonly warn: (message: string) => void;
  /** No progress is shown, so the totals need not be counted. */
  readonly quiet: boolean;
}

const PROGRESS_INTERVAL_MS = 100;
const CONCURRENCY = 2;
const STARTING: ProgressState = {
  phase: 'starting',
  objects: 0,
  bytes: 0,
  findings: 0,
  totalBytes: null,
  totalObjects: null,
  totalIsFinal: false,
};

/** `begin` starts the scan or finds the one to resume. The caller closes the app. */
export async function runScanSession(
  config: Config,
  begin: (app: App, jobs: Jobs) => Promise<ScanRow>,
  options: ScanSessionOptions,
): Promise<ScanSession> {
  options.progress.update(STARTING);
  const loading = import('../../engine/jobs/jobs.ts'); // while the database starts
  const app = await openWorkingApp(config, options.warn);
  try {
    await loading;
    return await interruptible(async (signal) => {
      const { id } = await runToEnd(app, begin, options, signal);
      const scan = (await readScan(app.db, id))!;
      // A scan interrupted at its very end may have completed.
      const interrupted = signal.aborted && scan.finishedAt === null;
      if (interrupted) await pauseScan(app.db, id, 'interrupted');
      return { app, scan, interrupted, stopRequested: signal.aborted };
    });
  } catch (error) {
    await app.close().catch(() => {});
    throw error;
  }
}

async function runToEnd(
  app: App,
  begin: (app: App, jobs: Jobs) => Promise<ScanRow>,
  options: ScanSessionOptions,
  signal: AbortSignal,
): Promise<ScanRow> {
  let live = new LiveCounters();
  const { warn } = options;
  const runtime = await startScanRuntime(app, { concurrency: CONCURRENCY, live: () => live, warn });
  try {
    const scan = await begin(app, runtime.tools.jobs);
    live = new LiveCounters(await readLedger(app.db, scan.id)); // a resumed scan starts with the counts of what is done
    await runWithProgress(runtime, scan, options, signal);
    // The hooks of a paused scan are not sent, so waiting for them would never end.
    if ((await readScan(app.db, scan.id))!.finishedAt !== null)
      await waitForHooks(app.db, scan.id, {
        wakeSignal: runtime.tools.wakeSignal,
        signal,
        until: 'first try',
      });
    return scan;
  } finally {
    await runtime.close();
    if (live.ignored > 0 && !options.quiet) warn(ignoredSentence(live.ignored));
  }
}

/** An ignore file may come with the data and be written by another person, so the number of excluded objects is reported. */
function ignoredSentence(count: number): string {
  const what = count === 1 ? '1 file or folder' : `${groupDigits(count)} files and folders`;
  return `.seineignore files excluded ${what}; --no-ignore-files includes them.`;
}

async function runWithProgress(
  { tools, pool }: ScanRuntime,
  scan: ScanRow,
  { progress, quiet }: ScanSessionOptions,
  signal: AbortSignal,
): Promise<void> {
  const backgroundCount = quiet ? null : startBackgroundCount(tools.db, scan, scopeOf(scan));
  const timer = setInterval(
    () => progress.update(toProgressState(tools.live, pool, backgroundCount?.totals() ?? null)),
    PROGRESS_INTERVAL_MS,
  );
  try {
    await runScan(scan.id, tools, signal);
  } finally {
    clearInterval(timer);
    backgroundCount?.stop();
    progress.stop();
  }
}

function toProgressState(
  live: LiveCounters,
  pool: DetectionPool,
  totals: SourceTotals | null,
): ProgressState {
  return {
    phase: 'scanning',
    objects: live.objects,
    bytes: live.bytes + pool.bytesUnderWay,
    findings: live.findings,
    totalBytes: totals?.bytes ?? null,
    totalObjects: totals?.objects ?? null,
    totalIsFinal: totals?.final ?? false,
    totalIsEstimated: totals?.estimated ?? false,
    unchangedBytes: live.unchangedBytes,
  };
}
