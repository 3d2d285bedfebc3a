/**
 * The process of a scan that is run by its own command: database, detection threads, jobs, progress display, Ctrl-C. Its results are in
 * the database, where the commands read them.
 */

import { type ScanRuntime, startScanRuntime } from '../../app/scan-runtime.ts';
import { type App, openWorkingApp } from '../../app.ts';
import type { Config } from '../../config.ts';
import type { DetectionPool } from '../../scans/detect/pool.ts';
import { waitForHooks } from '../../scans/hooks/wait-for-hooks.ts';
import { pauseScan } from '../../scans/lifecycle/control-scan.ts';
import { readScan, type ScanRow } from '../../scans/lifecycle/scan-store.ts';
import { scopeOf } from '../../scans/lifecycle/scope.ts';
import { type SourceTotals, startBackgroundCount } from '../../scans/monitor/background-count.ts';
import { readLedger } from '../../scans/results/report-store.ts';
import { LiveCounters } from '../../scans/shard/live-counters.ts';
import type { WorkerContext } from '../../scans/worker-context.ts';
import { catchInterrupts } from '../interrupt.ts';
import type { Progress, ProgressState } from '../output/progress/progress.ts';
import { groupDigits } from '../output/quantities.ts';

export interface ScanSession {
  readonly app: App;
  readonly worker: WorkerContext;
  /** Aborted by Ctrl-C or SIGTERM: the worker stops, and the caller must not wait for hooks. */
  readonly signal: AbortSignal;
  /** Shows the progress of a scan until the worker is stopped. */
  showProgress(scan: ScanRow): Promise<void>;
  /** Stops threads and jobs, after the hooks of an ended scan have been tried; the app stays open for the report. An interrupted scan is paused. */
  stopWorker(scan: ScanRow): Promise<{ readonly scan: ScanRow; readonly interrupted: boolean }>;
  /** Stops what is running, and closes the app. */
  close(): Promise<void>;
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

export async function openScanSession(config: Config, options: ScanSessionOptions): Promise<ScanSession> {
  options.progress.update(STARTING);
  const loading = import('../../engine/jobs/jobs.ts'); // while the database starts
  const parts = new AsyncDisposableStack();
  parts.defer(() => options.progress.stop());
  try {
    const app = await openWorkingApp(config, options.warn);
    parts.defer(() => app.close());
    await loading;
    return await openWithApp(app, parts, options);
  } catch (error) {
    await parts.disposeAsync().catch(() => {}); // the start error is the one to report
    throw error;
  }
}

async function openWithApp(
  app: App,
  parts: AsyncDisposableStack,
  { progress, warn, quiet }: ScanSessionOptions,
): Promise<ScanSession> {
  const interrupts = catchInterrupts();
  parts.defer(interrupts.release);
  const { signal } = interrupts;
  let live = new LiveCounters();
  const runtime = await startScanRuntime(app, { concurrency: CONCURRENCY, live: () => live, warn });
  const running = parts.use(new AsyncDisposableStack());
  running.defer(async () => {
    await runtime.close();
    if (live.ignored > 0 && !quiet) warn(ignoredSentence(live.ignored));
  });
  const display = running.use(new DisposableStack());
  display.defer(() => progress.stop());
  return {
    app,
    worker: runtime.context,
    signal,
    async showProgress(scan) {
      live = new LiveCounters(await readLedger(app.db, scan.id)); // a resumed scan starts with the counts of what is done
      const backgroundCount = quiet ? null : startBackgroundCount(app.db, scan, scopeOf(scan));
      display.defer(() => backgroundCount?.stop());
      const show = () => progress.update(toProgressState(live, runtime.pool, backgroundCount));
      const timer = setInterval(show, PROGRESS_INTERVAL_MS);
      display.defer(() => clearInterval(timer));
    },
    async stopWorker({ id }) {
      display.dispose();
      await tryHooks(runtime, app, id, signal);
      await running.disposeAsync();
      const scan = (await readScan(app.db, id))!;
      // A scan interrupted at its very end may have completed.
      const interrupted = signal.aborted && scan.finishedAt === null;
      if (interrupted) await pauseScan(app.db, id, 'interrupted');
      interrupts.release();
      return { scan, interrupted };
    },
    close: () => parts.disposeAsync(),
  };
}

/** The hooks of a paused scan are not sent, so waiting for them would never end. */
async function tryHooks(
  { context }: ScanRuntime,
  { db }: App,
  scan: number,
  signal: AbortSignal,
): Promise<void> {
  if ((await readScan(db, scan))!.finishedAt === null) return;
  await waitForHooks(db, scan, { wakeSignal: context.wakeSignal, signal, until: 'first try' });
}

/** An ignore file may come with the data and be written by another person, so the number of excluded objects is reported. */
function ignoredSentence(count: number): string {
  const what = count === 1 ? '1 file or folder' : `${groupDigits(count)} files and folders`;
  return `.seineignore files excluded ${what}; --no-ignore-files includes them.`;
}

function toProgressState(
  live: LiveCounters,
  pool: DetectionPool,
  backgroundCount: { totals(): SourceTotals | null } | null,
): ProgressState {
  const totals = backgroundCount?.totals() ?? null;
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
