/** Runs a scan in this process until it ends, then shows its report. Returns the exit code. */
import type { App } from '../../app.ts';
import { messageOf } from '../../base/errors.ts';
import type { Config } from '../../config.ts';
import type { Jobs } from '../../engine/jobs/jobs.ts';
import { deleteJobsOfGoneHosts } from '../../scans/hooks/lost-hooks.ts';
import type { ScanRow } from '../../scans/lifecycle/scan-store.ts';
import { applyRetention } from '../../scans/retention/apply-retention.ts';
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
import { runScanSession, type ScanSession } from './scan-session.ts';

/** Time limit of the retention run after a scan; the next scan continues it. */
const RETENTION_BUDGET_MS = 10_000;

type StartScan = (app: App, jobs: Jobs) => Promise<ScanRow>;
type RunFlags = CommonFlags & ResultFlags;

export async function runAndReport(
  config: Config,
  flags: RunFlags,
  begin: StartScan,
  session = runScanSession,
): Promise<number> {
  const outputs = outputsOf(flags);
  const failOn = failOnOf(flags, () => knownNames(loadRules(flags.rules)));
  const { app, scan, interrupted, stopRequested } = await runSession(config, flags, begin, session);
  try {
    if (interrupted) {
      log(`Scan ${scan.id} interrupted; progress is saved. Resume with: ${resumeCommand(scan.id, flags)}`);
      return EXIT.error;
    }
    if (scan.finishedAt === null) {
      const why = scan.error === null ? '' : ` (${scan.error.replace(/\.$/, '')})`;
      log(
        `Scan ${scan.id} is ${scan.status}${why}; progress is saved. Resume with: ${resumeCommand(scan.id, flags)}`,
      );
      return EXIT.error;
    }
    const report = await showResult(app, scan, flags, outputs);
    await runRetention(app).catch((error) => log(`seine: ${messageOf(error)}`));
    const hooksSucceeded = await finishHooks(app, scan.id, flags, stopRequested);
    if (scan.status !== 'completed' || !hooksSucceeded) return EXIT.error;
    return mustFail(report, failOn) ? EXIT.findings : EXIT.done;
  } finally {
    await app.close();
  }
}

async function runRetention({ config, db }: App): Promise<void> {
  await applyRetention(config.retention, db.tx, RETENTION_BUDGET_MS);
  await db.tx(deleteJobsOfGoneHosts);
}

async function runSession(
  config: Config,
  flags: RunFlags,
  begin: StartScan,
  session: typeof runScanSession,
): Promise<ScanSession> {
  const quiet = flags.quiet === true;
  const progress = createProgress(process.stderr, detectTerminalStyle(process.stderr, process.env, flags), {
    quiet,
  });
  const warn = (message: string) => log(`seine: ${message}`);
  let started: number | null = null;
  const remember: StartScan = async (app, jobs) => {
    const scan = await begin(app, jobs);
    started = scan.id;
    return scan;
  };
  try {
    return await session(config, remember, { progress, warn, quiet });
  } catch (error) {
    progress.stop(); // else the error would be printed on the progress line
    if (started !== null)
      log(`Scan ${started} failed; progress is saved. Resume with: ${resumeCommand(started, flags)}`);
    throw error;
  }
}

function resumeCommand(scan: number, flags: CommonFlags): string {
  return suggestCommand(['resume', String(scan)], flags);
}

function log(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
}
