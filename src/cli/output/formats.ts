import { basename } from 'node:path';
import type { Writable } from 'node:stream';
import { SeineError } from '../../base/errors.ts';
import type { Finding } from '../../scans/results/finding.ts';
import type { Report } from '../../scans/results/report.ts';
import { writeCsv } from './csv.ts';
import { writeHtml } from './html/html.ts';
import { writeJsonl } from './jsonl.ts';
import { reportJson } from './report-json.ts';
import { writeSarif } from './sarif/sarif.ts';
import { renderReport } from './terminal/terminal.ts';
import { PLAIN_STYLE } from './terminal-style.ts';
import { writeChunks } from './write-chunks.ts';

/** Findings one by one (jsonl, csv), findings with their report (sarif, html), or the report alone (json, txt). */
export const OUTPUT_FORMATS = ['jsonl', 'csv', 'sarif', 'html', 'json', 'txt'] as const;
export type OutputFormat = (typeof OUTPUT_FORMATS)[number];

/** Longer extensions first: `.sarif.json` is SARIF, `.json` the report. */
const ENDINGS: readonly (readonly [string, OutputFormat])[] = [
  ['.sarif.json', 'sarif'],
  ['.sarif', 'sarif'],
  ['.jsonl', 'jsonl'],
  ['.ndjson', 'jsonl'],
  ['.csv', 'csv'],
  ['.html', 'html'],
  ['.htm', 'html'],
  ['.json', 'json'],
  ['.txt', 'txt'],
];

/** The explicit format, else the one of the file extension. */
export function formatOf(fileName: string, explicit?: string): OutputFormat {
  const formats = OUTPUT_FORMATS.join(', ');
  if (explicit !== undefined) {
    const named = OUTPUT_FORMATS.find((format) => format === explicit.toLowerCase());
    if (named !== undefined) return named;
    throw new SeineError('usage', `Unknown output format "${explicit}".`, {
      hint: `Formats: ${formats}.`,
    });
  }
  const name = basename(fileName).toLowerCase();
  const ending = ENDINGS.find(([end]) => name.endsWith(end));
  if (ending !== undefined) return ending[1];
  const where = fileName === '-' ? 'standard output ("-")' : `"${fileName}"`;
  throw new SeineError('usage', `Cannot tell the output format of ${where} from its name.`, {
    hint: `Use an extension (${ENDINGS.map(([end]) => end).join(', ')}), or pass --format ${OUTPUT_FORMATS.join('|')}.`,
  });
}

/** Writes everything and leaves the stream open. */
export async function writeOutput(
  format: OutputFormat,
  report: Report,
  findings: AsyncIterable<Finding>,
  out: Writable,
): Promise<void> {
  switch (format) {
    case 'jsonl':
      return writeJsonl(findings, out);
    case 'csv':
      return writeCsv(findings, out);
    case 'sarif':
      return writeSarif(report, findings, out);
    case 'html':
      return writeHtml(report, findings, out);
    case 'json':
      return writeChunks([`${JSON.stringify(reportJson(report), null, 2)}\n`], out);
    case 'txt':
      return writeChunks([renderReport(report, PLAIN_STYLE)], out);
  }
}
