/** Runs a scan in this process until it ends, then shows its report. Returns the exit code. */
import type { App } from '../../app.ts';
import { messageOf } from '../../base/errors.ts';
import type { Config } from '../../config.ts';
import type { Jobs } from '../../engine/jobs/jobs.ts';
import { deleteJobsOfGoneHosts } from '../../scans/hooks/lost-hooks.ts';
import type { ScanRow } from '../../scans/lifecycle/scan-store.ts';
import { applyRetention } from '../../scans/retention/apply-retention.ts';
import { runScan } from '../../scans/run-scan.ts';
import { EXIT } from '../exit-code.ts';
import { finishHooks } from '../hooks/finish-hooks.ts';
import type { CommonFlags } from '../options.ts';
import { createProgress } from '../output/progress/progress.ts';
import { detectTerminalStyle } from '../output/terminal-style.ts';
import { failOnOf, mustFail, outputsOf, type ResultFlags } from '../results/result-options.ts';
import { showResult } from '../results/show-result.ts';
import { knownNames } from '../rules/known-names.ts';
import { suggestCommand } from '../suggest-command.ts';
import { loadRules } from './scan-request.ts';
import { openScanSession, type ScanSession } from './scan-session.ts';

/** Time limit of the retention run after a scan; the next scan continues it. */
const RETENTION_BUDGET_MS = 10_000;

type RunFlags = CommonFlags & ResultFlags;

/** `startScan` starts the scan, or finds the one to resume. */
export async function runAndReport(
  config: Config,
  flags: RunFlags,
  startScan: (app: App, jobs: Jobs) => Promise<ScanRow>,
  { openSession = openScanSession, run = runScan } = {},
): Promise<number> {
  const outputs = outputsOf(flags);
  const failOn = failOnOf(flags, () => knownNames(loadRules(flags.rules)));
  const quiet = flags.quiet === true;
  const progress = createProgress(process.stderr, detectTerminalStyle(process.stderr, process.env, flags), {
    quiet,
  });
  const session = await openSession(config, { progress, warn, quiet });
  let started: ScanRow | null = null;
  let stopped: Awaited<ReturnType<ScanSession['stopWorker']>>;
  try {
    started = await startScan(session.app, session.worker.jobs);
    await session.showProgress(started);
    await run(started.id, session.worker, session.signal);
    stopped = await session.stopWorker(started);
  } catch (error) {
    progress.stop(); // else the error would be printed on the progress line
    await session.close().catch(() => {}); // the first error is the one to report
    if (started) log(`Scan ${started.id} failed; ${resumeHint(started.id, flags)}`);
    throw error;
  }
  try {
    const { scan, interrupted } = stopped;
    if (interrupted || scan.finishedAt === null) {
      log(
        `Scan ${scan.id} ${interrupted ? 'interrupted' : pausedStatus(scan)}; ${resumeHint(scan.id, flags)}`,
      );
      return EXIT.error;
    }
    const report = await showResult(session.app, scan, flags, outputs);
    await runRetention(session.app).catch((error) => warn(messageOf(error)));
    const hooksSucceeded = await finishHooks(session.app, scan.id, flags, session.signal.aborted);
    if (scan.status !== 'completed' || !hooksSucceeded) return EXIT.error;
    return mustFail(report, failOn) ? EXIT.findings : EXIT.done;
  } finally {
    await session.close();
  }
}

async function runRetention({ config, db }: App): Promise<void> {
  await applyRetention(config.retention, db.tx, RETENTION_BUDGET_MS);
  await db.tx(deleteJobsOfGoneHosts);
}

/** Paused by another command, or by its budget. */
function pausedStatus({ status, error }: ScanRow): string {
  return `is ${status}${error === null ? '' : ` (${error.replace(/\.$/, '')})`}`;
}

function resumeHint(scan: number, flags: CommonFlags): string {
  return `progress is saved. Resume with: ${suggestCommand(['resume', String(scan)], flags)}`;
}

function warn(message: string): void {
  log(`seine: ${message}`);
}

function log(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
}
