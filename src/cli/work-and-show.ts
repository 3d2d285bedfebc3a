/** Works on a scan until it ends, then shows what came out, in every way that was asked for. */
import type { App } from '../app.ts';
import type { Config } from '../config.ts';
import { wholeNumber } from '../config.ts';
import { catalogue } from '../detection/detectors/catalogue.ts';
import type { Jobs } from '../engine/jobs/jobs.ts';
import type { Finding } from '../scans/finding.ts';
import { findingsOf } from '../scans/finding-store.ts';
import type { Report } from '../scans/report.ts';
import { readReport } from '../scans/report-store.ts';
import type { ScanRow } from '../scans/scan-store.ts';
import { EXIT } from './exit-code.ts';
import type { CommonFlags } from './options.ts';
import { lookOf } from './output/look.ts';
import { writeOutputFile } from './output/output-file.ts';
import { createProgress } from './output/progress.ts';
import { reportJson } from './output/report-json.ts';
import { renderReport } from './output/terminal.ts';
import { failOnOf, mustFail, outputsOf, type ResultFlags } from './result-options.ts';
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
  const progress = createProgress(process.stderr, lookOf(process.stderr, process.env, flags), {
    quiet: flags.quiet === true,
  });
  const warn = (message: string) => void process.stderr.write(`seine: ${message}\n`);
  const session = await workSession(config, begin, { keepEach, progress, warn });
  try {
    const { app, scan, interrupted } = session;
    if (interrupted) return sayHowToGoOn(scan);
    const report = await readReport(app.db, scan);
    for (const { path, format } of outputs)
      await writeOutputFile(path, format, report, onlyFindings(app, scan));
    show(
      report,
      flags,
      outputs.some((output) => output.path === '-'),
    );
    if (scan.status !== 'completed') return EXIT.error;
    return mustFail(report, failOn) ? EXIT.findings : EXIT.done;
  } finally {
    await session.app.close();
  }
}

async function* onlyFindings(app: App, scan: ScanRow): AsyncGenerator<Finding> {
  for await (const { finding } of findingsOf(app.db, scan)) yield finding;
}

/** Standard output belongs to one thing: an output that asked for it, JSON, or the report. */
function show(report: Report, flags: CommonFlags & ResultFlags, stdoutTaken: boolean): void {
  if (stdoutTaken) return;
  if (flags.json) process.stdout.write(`${JSON.stringify(reportJson(report), null, 2)}\n`);
  else if (!flags.quiet)
    process.stdout.write(renderReport(report, lookOf(process.stdout, process.env, flags)));
}

function sayHowToGoOn(scan: ScanRow): number {
  process.stderr.write(
    `Scan ${scan.id} stopped in order; nothing is lost. Go on with: seine resume ${scan.id}\n`,
  );
  return EXIT.error;
}
