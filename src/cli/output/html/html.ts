/**
 * The report as one page that needs nothing else: no request leaves it, no script but ours runs in it (the policy
 * names ours by its hash), and it can be opened from a mail, a ticket or a disk years later.
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
import { policyTable } from './policies.ts';
import { SCRIPT } from './script.ts';
import { STYLE } from './style.ts';
import { header, summary } from './summary.ts';
import { folderTable, objectTable, typeTable } from './tables.ts';

/** A browser stays quick with that many rows. */
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
<footer>Made by Seine. Values are masked; the page holds none of them in full.</footer>
<script>${new Markup(SCRIPT)}</script>
</body>
</html>
`;
}

function moreNote(report: Report, rows: number): Markup {
  return html`<p class="note">Only the first ${groupDigits(rows)} findings are listed here. For the others:
<code>seine findings ${visible(report.scan.id)} --format jsonl</code></p>`;
}

/** Counts are exact, but of each object and type only so many findings are kept: a shorter list must say so. */
function restNote(report: Report, rows: number): Markup {
  const total = totalFindings(report);
  if (rows === 0) return html`<p class="note">No findings to list.</p>`;
  if (rows >= total) return html`<p class="note">All of them are listed here.</p>`;
  return html`<p class="note">Listed here: ${groupDigits(rows)} of the ${groupDigits(total)} that were counted.</p>`;
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
