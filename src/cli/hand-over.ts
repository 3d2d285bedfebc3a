/**
 * In distributed mode the workers do the work: this process hands the scan over, and with --wait follows it to its end and shows
 * the result. Leaving it does not stop the scan.
 */
import { type App, openApp } from '../app.ts';
import type { Config } from '../config.ts';
import type { Jobs } from '../engine/jobs/jobs.ts';
import { countWorkers } from '../engine/workers/worker-store.ts';
import type { Snapshot } from '../scans/monitor/snapshot.ts';
import { hasEnded, watchScan } from '../scans/monitor/watch-scan.ts';
import { readScan, type ScanRow } from '../scans/scan-store.ts';
import { commandAgain } from './again.ts';
import { EXIT } from './exit-code.ts';
import { knownNames } from './known-names.ts';
import type { CommonFlags } from './options.ts';
import { untilLeft } from './output/live/leaving.ts';
import { lookOf } from './output/look.ts';
import { createProgress, type ProgressState } from './output/progress.ts';
import { failOnOf, mustFail, outputsOf, type ResultFlags } from './result-options.ts';
import { readRules } from './scan-request.ts';
import { showResult } from './show-result.ts';
import { withJobs } from './with-jobs.ts';

type HandOverFlags = CommonFlags & ResultFlags & { readonly wait?: boolean };

export async function handOver(
  config: Config,
  flags: HandOverFlags,
  begin: (app: App, jobs: Jobs) => Promise<ScanRow>,
): Promise<number> {
  const outputs = outputsOf(flags);
  const failOn = failOnOf(flags, () => knownNames(readRules(flags.rules)));
  const app = await openApp(config);
  try {
    const scan = await withJobs(app, (jobs) => begin(app, jobs));
    if ((await countWorkers(app.db, config.staleMs)) === 0)
      say(`No worker is there yet: start one with ${commandAgain(['worker'], flags)}`);
    if (!flags.wait) return handedOver(scan.id, flags);
    if (!(await followed(app, scan.id, flags))) return EXIT.error;
    const ended = (await readScan(app.db, scan.id))!;
    const report = await showResult(app, ended, flags, outputs);
    if (ended.status !== 'completed') return EXIT.error;
    return mustFail(report, failOn) ? EXIT.findings : EXIT.done;
  } finally {
    await app.close();
  }
}

function handedOver(scan: number, flags: HandOverFlags): number {
  if (flags.json) process.stdout.write(`${JSON.stringify({ scan: String(scan) })}\n`);
  else {
    say(`Scan ${scan} is handed over to the workers.`);
    say(`  ${commandAgain(['monitor', String(scan), '--live'], flags)}   follow it`);
    say(`  ${commandAgain(['show', String(scan)], flags)}   what it found`);
  }
  return EXIT.done;
}

/** False: it rests, or we were asked to leave. */
async function followed(app: App, scan: number, flags: HandOverFlags): Promise<boolean> {
  const quiet = flags.quiet === true;
  const progress = createProgress(process.stderr, lookOf(process.stderr, process.env, flags), { quiet });
  let last: Snapshot | null = null;
  await untilLeft(null, async (signal) => {
    for await (const snapshot of watchScan(app.db, scan, { signal })) {
      last = snapshot;
      if (rests(snapshot)) break;
      progress.update(stateOf(snapshot));
    }
  });
  progress.stop();
  const standing = last as Snapshot | null;
  if (standing && hasEnded(standing)) return true;
  const again = (word: string) => commandAgain([word, String(scan)], flags);
  if (standing && rests(standing))
    say(`Scan ${scan} is ${standing.scan.status}${because(standing)}. Go on with: ${again('resume')}`);
  else say(`Scan ${scan} goes on without you. Follow it with: ${again('monitor')}`);
  return false;
}

function rests({ scan }: Snapshot): boolean {
  return scan.status === 'paused' || scan.status === 'interrupted';
}

function because({ scan }: Snapshot): string {
  return scan.error === null ? '' : ` (${scan.error.replace(/\.$/, '')})`;
}

function stateOf({ done, estimate }: Snapshot): ProgressState {
  return {
    phase: 'scanning',
    objects: done.objects,
    bytes: done.bytes - done.outcomes.unchanged.bytes,
    findings: 0,
    totalBytes: estimate?.bytes?.likely ?? null,
    totalObjects: estimate?.objects.likely ?? null,
    totalIsFinal: false,
    totalIsGuessed: true,
    unchangedBytes: done.outcomes.unchanged.bytes,
  };
}

function say(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
}
