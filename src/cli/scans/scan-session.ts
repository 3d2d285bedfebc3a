/**
 * Working on one scan in this process, from the first sign of life to its end: detection threads, jobs, progress,
 * Ctrl-C. What it leaves behind is in the database; the commands then show it.
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
  /** Somebody asked to stop: nothing more is waited for. */
  readonly stopRequested: boolean;
}

export interface ScanSessionOptions {
  readonly progress: Progress;
  readonly warn: (message: string) => void;
  /** Nobody watches: then nobody needs to know how much there is. */
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

/** `begin` starts the scan or finds the one to go on with. The caller closes the app. */
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
      // Asked to stop in its last moments, a scan may have ended all the same.
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
  const working = await startScanRuntime(app, { hands: CONCURRENCY, live: () => live, warn });
  try {
    const scan = await begin(app, working.tools.jobs);
    live = new LiveCounters(await readLedger(app.db, scan.id)); // a resumed scan begins with what is done
    await runWithProgress(working, scan, options, signal);
    // Those of a scan that rests have not been sent: nobody would end the wait for them.
    if ((await readScan(app.db, scan.id))!.finishedAt !== null)
      await waitForHooks(app.db, scan.id, { news: working.tools.news, signal, until: 'first try' });
    return scan;
  } finally {
    await working.close();
    if (live.ignored > 0 && !options.quiet) warn(ignoredSentence(live.ignored));
  }
}

/** An ignore file may come with the data and be written by another person: how much it leaves out is reported. */
function ignoredSentence(count: number): string {
  const what = count === 1 ? '1 file or folder' : `${groupDigits(count)} files and folders`;
  return `.seineignore files left out ${what}; --no-ignore-files scans them, too.`;
}

async function runWithProgress(
  { tools, pool }: ScanRuntime,
  scan: ScanRow,
  { progress, quiet }: ScanSessionOptions,
  signal: AbortSignal,
): Promise<void> {
  const survey = quiet ? null : startBackgroundCount(tools.db, scan, scopeOf(scan));
  const telling = setInterval(
    () => progress.update(toProgressState(tools.live, pool, survey?.totals() ?? null)),
    PROGRESS_INTERVAL_MS,
  );
  try {
    await runScan(scan.id, tools, signal);
  } finally {
    clearInterval(telling);
    survey?.stop();
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
