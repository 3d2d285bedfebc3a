/** Works on a scan until it ends, then shows what came out. The exit code says how it went. */
import type { App } from '../app.ts';
import { type Config, wholeNumber } from '../config.ts';
import { catalogue } from '../detection/detectors/catalogue.ts';
import type { Jobs } from '../engine/jobs/jobs.ts';
import type { ScanRow } from '../scans/scan-store.ts';
import { EXIT } from './exit-code.ts';
import type { CommonFlags } from './options.ts';
import { lookOf } from './output/look.ts';
import { createProgress } from './output/progress.ts';
import { failOnOf, mustFail, outputsOf, type ResultFlags } from './result-options.ts';
import { showResult } from './show-result.ts';
import { workSession } from './work-session.ts';

export async function workAndShow(
  config: Config,
  flags: CommonFlags & ResultFlags,
  begin: (app: App, jobs: Jobs) => Promise<ScanRow>,
): Promise<number> {
  const outputs = outputsOf(flags);
  const failOn = failOnOf(
    flags,
    catalogue.map((detector) => detector.id),
  );
  const keepEach = wholeNumber('--max-findings', flags.maxFindings, 1000, 1, 1_000_000_000);
  const quiet = flags.quiet === true;
  const progress = createProgress(process.stderr, lookOf(process.stderr, process.env, flags), { quiet });
  const warn = (message: string) => void process.stderr.write(`seine: ${message}\n`);
  const { app, scan, interrupted } = await workSession(config, begin, { keepEach, progress, warn, quiet });
  try {
    if (interrupted) return sayHowToGoOn(scan);
    const report = await showResult(app, scan, flags, outputs);
    if (scan.status !== 'completed') return EXIT.error;
    return mustFail(report, failOn) ? EXIT.findings : EXIT.done;
  } finally {
    await app.close();
  }
}

function sayHowToGoOn(scan: ScanRow): number {
  process.stderr.write(
    `Scan ${scan.id} stopped in order; nothing is lost. Go on with: ${process.env.SEINE_CALLED || 'seine'} resume ${scan.id}\n`,
  );
  return EXIT.error;
}
