/**
 * Working on one scan in this process, from the first sign of life to its end: detection threads, jobs, progress,
 * Ctrl-C. What it leaves behind is in the database; the commands then show it.
 */

import { startWorking, type Working } from '../app/working.ts';
import { type App, openWorkingApp } from '../app.ts';
import type { Config } from '../config.ts';
import type { Jobs } from '../engine/jobs/jobs.ts';
import { pauseScan } from '../scans/control.ts';
import type { DetectionPool } from '../scans/detect/pool.ts';
import { waitForHooks } from '../scans/hooks/wait-for-hooks.ts';
import { LiveCounters } from '../scans/live-counters.ts';
import { readLedger } from '../scans/report-store.ts';
import { runScan } from '../scans/run-scan.ts';
import { readScan, type ScanRow } from '../scans/scan-store.ts';
import { scopeOf } from '../scans/scope.ts';
import { startSurvey, type Totals } from '../scans/survey.ts';
import { interruptible } from './interrupt.ts';
import type { Progress, ProgressState } from './output/progress.ts';
import { grouped } from './output/quantities.ts';

export interface Session {
  readonly app: App;
  readonly scan: ScanRow;
  readonly interrupted: boolean;
  /** Somebody asked to stop: nothing more is waited for. */
  readonly leaving: boolean;
}

export interface SessionOptions {
  readonly progress: Progress;
  readonly warn: (message: string) => void;
  /** Nobody watches: then nobody needs to know how much there is. */
  readonly quiet: boolean;
}

const TOLD_EVERY_MS = 100;
const SHARDS_AT_ONCE = 2;
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
export async function workSession(
  config: Config,
  begin: (app: App, jobs: Jobs) => Promise<ScanRow>,
  options: SessionOptions,
): Promise<Session> {
  options.progress.update(STARTING);
  const loading = import('../engine/jobs/jobs.ts'); // while the database starts
  const app = await openWorkingApp(config, options.warn);
  try {
    await loading;
    return await interruptible(async (signal) => {
      const { id } = await workToTheEnd(app, begin, options, signal);
      const scan = (await readScan(app.db, id))!;
      // Asked to stop in its last moments, a scan may have ended all the same.
      const interrupted = signal.aborted && scan.finishedAt === null;
      if (interrupted) await pauseScan(app.db, id, 'interrupted');
      return { app, scan, interrupted, leaving: signal.aborted };
    });
  } catch (error) {
    await app.close().catch(() => {});
    throw error;
  }
}

async function workToTheEnd(
  app: App,
  begin: (app: App, jobs: Jobs) => Promise<ScanRow>,
  options: SessionOptions,
  signal: AbortSignal,
): Promise<ScanRow> {
  let live = new LiveCounters();
  const { warn } = options;
  const working = await startWorking(app, { hands: SHARDS_AT_ONCE, live: () => live, warn });
  try {
    const scan = await begin(app, working.tools.jobs);
    live = new LiveCounters(await readLedger(app.db, scan.id)); // a resumed scan begins with what is done
    await work(working, scan, options, signal);
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
  const what = count === 1 ? '1 file or folder' : `${grouped(count)} files and folders`;
  return `.seineignore files left out ${what}; --no-ignore-files scans them, too.`;
}

async function work(
  { tools, pool }: Working,
  scan: ScanRow,
  { progress, quiet }: SessionOptions,
  signal: AbortSignal,
): Promise<void> {
  const survey = quiet ? null : startSurvey(tools.db, scan, scopeOf(scan));
  const telling = setInterval(
    () => progress.update(stateOf(tools.live, pool, survey?.totals() ?? null)),
    TOLD_EVERY_MS,
  );
  try {
    await runScan(scan.id, tools, signal);
  } finally {
    clearInterval(telling);
    survey?.stop();
    progress.stop();
  }
}

function stateOf(live: LiveCounters, pool: DetectionPool, totals: Totals | null): ProgressState {
  return {
    phase: 'scanning',
    objects: live.objects,
    bytes: live.bytes + pool.bytesUnderWay,
    findings: live.findings,
    totalBytes: totals?.bytes ?? null,
    totalObjects: totals?.objects ?? null,
    totalIsFinal: totals?.final ?? false,
    totalIsGuessed: totals?.guessed ?? false,
    unchangedBytes: live.unchangedBytes,
  };
}
