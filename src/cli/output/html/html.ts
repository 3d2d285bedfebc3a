/**
 * The report as one self-contained page: it sends no requests, runs no script but its own (allowed by its hash in the Content
 * Security Policy), and can be opened from a mail, a ticket or a disk years later.
 */
import { createHash } from 'node:crypto';
import type { Writable } from 'node:stream';
import type { Finding } from '../../../scans/results/finding.ts';
import type { Report } from '../../../scans/results/report.ts';
import { totalFindings } from '../coverage.ts';
import { groupDigits } from '../quantities.ts';
import { visible } from '../visible.ts';
import { writeChunks } from '../write-chunks.ts';
import { coverageSection } from './coverage.ts';
import { findingRow, findingsHead } from './findings.ts';
import { html, Markup } from './markup.ts';
import { SCRIPT } from './script.ts';
import { STYLE } from './style.ts';
import { header, summary } from './summary.ts';
import { folderTable, objectTable, policyTable, typeTable } from './tables.ts';

/** Browsers stay responsive with this number of rows. */
export const MAX_ROWS = 5000;

export async function writeHtml(
  report: Report,
  findings: AsyncIterable<Finding>,
  out: Writable,
  maxRows = MAX_ROWS,
): Promise<void> {
  await writeChunks(page(report, findings, maxRows), out);
}

async function* page(
  report: Report,
  findings: AsyncIterable<Finding>,
  maxRows: number,
): AsyncGenerator<string> {
  yield head(report).text;
  yield findingsHead().text;
  let rows = 0;
  for await (const finding of findings) {
    if (rows === maxRows) {
      yield end(moreNote(report, rows)).text;
      return;
    }
    yield findingRow(finding).text;
    rows += 1;
  }
  yield end(restNote(report, rows)).text;
}

function head(report: Report): Markup {
  const source = visible(report.scan.source);
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
<link rel="icon" href="data:,">
<title>Seine report: ${source}</title>
<style>${new Markup(STYLE)}</style>
</head>
<body>
<main>
${header(report)}
${summary(report)}
${policyTable(report)}
${objectTable(report)}
${folderTable(report)}
${typeTable(report)}
${coverageSection(report)}
`;
}

function end(note: Markup): Markup {
  return html`</tbody></table></div>
${note}
</section>
</main>
<footer>Created by Seine. All values on this page are masked.</footer>
<script>${new Markup(SCRIPT)}</script>
</body>
</html>
`;
}

function moreNote(report: Report, rows: number): Markup {
  return html`<p class="note">Only the first ${groupDigits(rows)} findings are listed here. List all of them with:
<code>seine findings ${visible(report.scan.id)} --format jsonl</code></p>`;
}

/** Counts are exact, but the findings kept for each object and type are limited: the page states if its list is shorter. */
function restNote(report: Report, rows: number): Markup {
  const total = totalFindings(report);
  if (rows === 0) return html`<p class="note">No findings.</p>`;
  if (rows >= total) return html`<p class="note">All findings are listed here.</p>`;
  return html`<p class="note">${groupDigits(rows)} of ${groupDigits(total)} findings are listed here.</p>`;
}

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

const POLICY = [
  "default-src 'none'",
  `script-src ${hashOf(SCRIPT)}`,
  `style-src ${hashOf(STYLE)}`,
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');
