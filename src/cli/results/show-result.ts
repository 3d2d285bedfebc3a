/** Shows the result of a scan in all requested formats. */
import type { App } from '../../app.ts';
import { SeineError } from '../../base/errors.ts';
import type { ScanRow } from '../../scans/lifecycle/scan-store.ts';
import type { Report } from '../../scans/results/report.ts';
import { chooseBaseline } from '../baselines/choose.ts';
import type { CommonFlags } from '../options.ts';
import { writeOutputFile } from '../output/output-file.ts';
import { reportJson } from '../output/report-json.ts';
import { renderReport } from '../output/terminal/terminal.ts';
import { detectTerminalStyle } from '../output/terminal-style.ts';
import { standardOutput } from '../standard-output.ts';
import { suggestCommand } from '../suggest-command.ts';
import type { OutputFlags, OutputRequest } from './result-options.ts';
import { type ResultView, withResultView } from './result-view.ts';

type ShowFlags = CommonFlags & Pick<OutputFlags, 'format' | 'baseline' | 'baselineFile'>;

/** A failed output does not prevent the other outputs or the report; its error is thrown at the end. */
export async function showResult(
  app: App,
  scan: ScanRow,
  flags: ShowFlags,
  outputs: readonly OutputRequest[],
): Promise<Report> {
  const baseline = await chooseBaseline(app, flags);
  return withResultView(app, scan, baseline, (view) => showView(view, scan, flags, outputs));
}

async function showView(
  { report, findings }: ResultView,
  scan: ScanRow,
  flags: ShowFlags,
  outputs: readonly OutputRequest[],
): Promise<Report> {
  const errors: unknown[] = [];
  for (const { path, format } of outputs) {
    try {
      await writeOutputFile(path, format, report, findings());
    } catch (error) {
      if (!standardOutput.caused(error)) errors.push(withRetryHint(error, scan, path, flags));
    }
  }
  // Standard output carries only one of these: an output written to `-`, JSON, or the report.
  if (!outputs.some((output) => output.path === '-')) printReport(report, flags);
  if (errors.length > 0) throw errors[0];
  return report;
}

function printReport(report: Report, flags: CommonFlags): void {
  if (flags.json) process.stdout.write(`${JSON.stringify(reportJson(report), null, 2)}\n`);
  else if (!flags.quiet)
    process.stdout.write(renderReport(report, detectTerminalStyle(process.stdout, process.env, flags)));
}

/** Adds the command that writes the output again, so that the scan need not be repeated. */
function withRetryHint(error: unknown, scan: ScanRow, path: string, flags: ShowFlags): unknown {
  if (!(error instanceof SeineError)) return error;
  const { kind, message, hint, retry } = error;
  const format = flags.format === undefined ? [] : ['--format', flags.format];
  const retryCommand = suggestCommand(['show', String(scan.id), '--output', path, ...format], flags);
  const advice = `The scan is kept. Write its result again with: ${retryCommand}`;
  return new SeineError(kind, message, { hint: hint ? `${hint} ${advice}` : advice, retry, cause: error });
}
