/**
 * Distributed mode: submits the scan to the workers. With --wait it follows the scan to its end and shows the report; interrupting it
 * does not stop the scan.
 */
import { type App, openApp } from '../../app.ts';
import type { Config } from '../../config.ts';
import type { Jobs } from '../../engine/jobs/jobs.ts';
import { countWorkers } from '../../engine/workers/worker-store.ts';
import { readScan, type ScanRow } from '../../scans/lifecycle/scan-store.ts';
import type { Snapshot } from '../../scans/monitor/snapshot.ts';
import { hasEnded, watchScan } from '../../scans/monitor/watch-scan.ts';
import { EXIT } from '../exit-code.ts';
import type { CommonFlags } from '../options.ts';
import { runUntilQuit } from '../output/live/run-until-quit.ts';
import { createProgress, type ProgressState } from '../output/progress/progress.ts';
import { detectTerminalStyle } from '../output/terminal-style.ts';
import { failOnOf, mustFail, outputsOf, type ResultFlags } from '../results/result-options.ts';
import { showResult } from '../results/show-result.ts';
import { knownNames } from '../rules/known-names.ts';
import { suggestCommand } from '../suggest-command.ts';
import { withJobs } from '../with-jobs.ts';
import { loadRules } from './scan-request.ts';

type SubmitFlags = CommonFlags & ResultFlags & { readonly wait?: boolean };

export async function submitScan(
  config: Config,
  flags: SubmitFlags,
  begin: (app: App, jobs: Jobs) => Promise<ScanRow>,
): Promise<number> {
  const outputs = outputsOf(flags);
  const failOn = failOnOf(flags, () => knownNames(loadRules(flags.rules)));
  const app = await openApp(config);
  try {
    const scan = await withJobs(app, (jobs) => begin(app, jobs));
    if ((await countWorkers(app.db, config.staleMs)) === 0)
      log(`No workers running. Start one with: ${suggestCommand(['worker'], flags)}`);
    if (!flags.wait) return reportSubmitted(scan.id, flags);
    if (!(await followToEnd(app, scan.id, flags))) return EXIT.error;
    const ended = (await readScan(app.db, scan.id))!;
    const report = await showResult(app, ended, flags, outputs);
    if (ended.status !== 'completed') return EXIT.error;
    return mustFail(report, failOn) ? EXIT.findings : EXIT.done;
  } finally {
    await app.close();
  }
}

function reportSubmitted(scan: number, flags: SubmitFlags): number {
  if (flags.json) process.stdout.write(`${JSON.stringify({ scan: String(scan) })}\n`);
  else {
    log(`Scan ${scan} submitted.`);
    log(`  ${suggestCommand(['monitor', String(scan), '--live'], flags)}   follow its progress`);
    log(`  ${suggestCommand(['show', String(scan)], flags)}   show its report`);
  }
  return EXIT.done;
}

/** Returns false if the scan was paused, or the user stopped following it. */
async function followToEnd(app: App, scan: number, flags: SubmitFlags): Promise<boolean> {
  const quiet = flags.quiet === true;
  const progress = createProgress(process.stderr, detectTerminalStyle(process.stderr, process.env, flags), {
    quiet,
  });
  let last: Snapshot | null = null;
  await runUntilQuit(null, async (signal) => {
    for await (const snapshot of watchScan(app.db, scan, { signal })) {
      last = snapshot;
      if (isPaused(snapshot)) break;
      progress.update(toProgressState(snapshot));
    }
  });
  progress.stop();
  const latest = last as Snapshot | null;
  if (latest && hasEnded(latest)) return true;
  const commandFor = (word: string) => suggestCommand([word, String(scan)], flags);
  if (latest && isPaused(latest))
    log(`Scan ${scan} is ${latest.scan.status}${pauseReason(latest)}. Resume with: ${commandFor('resume')}`);
  else log(`Scan ${scan} continues in the background. Follow it with: ${commandFor('monitor')}`);
  return false;
}

function isPaused({ scan }: Snapshot): boolean {
  return scan.status === 'paused' || scan.status === 'interrupted';
}

function pauseReason({ scan }: Snapshot): string {
  return scan.error === null ? '' : ` (${scan.error.replace(/\.$/, '')})`;
}

function toProgressState({ done, estimate }: Snapshot): ProgressState {
  return {
    phase: 'scanning',
    objects: done.objects,
    bytes: done.bytes - done.outcomes.unchanged.bytes,
    findings: 0,
    totalBytes: estimate?.bytes?.likely ?? null,
    totalObjects: estimate?.objects.likely ?? null,
    totalIsFinal: false,
    totalIsEstimated: true,
    unchangedBytes: done.outcomes.unchanged.bytes,
  };
}

function log(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
}
