/** Shows what came out of a scan, in every way that was asked for. */
import type { App } from '../app.ts';
import type { Finding } from '../scans/finding.ts';
import { findingsOf } from '../scans/finding-store.ts';
import type { Report } from '../scans/report.ts';
import { readReport } from '../scans/report-store.ts';
import type { ScanRow } from '../scans/scan-store.ts';
import type { CommonFlags } from './options.ts';
import { lookOf } from './output/look.ts';
import { writeOutputFile } from './output/output-file.ts';
import { reportJson } from './output/report-json.ts';
import { renderReport } from './output/terminal.ts';
import type { OutputWish } from './result-options.ts';

export async function showResult(
  app: App,
  scan: ScanRow,
  flags: CommonFlags,
  outputs: readonly OutputWish[],
): Promise<Report> {
  const report = await readReport(app.db, scan);
  for (const { path, format } of outputs)
    await writeOutputFile(path, format, report, onlyFindings(app, scan));
  // Standard output belongs to one thing: an output that asked for it, JSON, or the report.
  if (outputs.some((output) => output.path === '-')) return report;
  if (flags.json) process.stdout.write(`${JSON.stringify(reportJson(report), null, 2)}\n`);
  else if (!flags.quiet)
    process.stdout.write(renderReport(report, lookOf(process.stdout, process.env, flags)));
  return report;
}

async function* onlyFindings(app: App, scan: ScanRow): AsyncGenerator<Finding> {
  for await (const { finding } of findingsOf(app.db, scan)) yield finding;
}
