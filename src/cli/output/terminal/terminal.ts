import type { Report } from '../../../scans/results/report.ts';
import { baselineText, coverageLine, coverageOf, suppressedText, totalFindings } from '../coverage.ts';
import { pluralize } from '../quantities.ts';
import { statusText } from '../status-text.ts';
import { ellipsis, paint, type TerminalStyle } from '../terminal-style.ts';
import { truncateMiddle, wrap } from '../text-width.ts';
import { visible } from '../visible.ts';
import { coverageSection, speedSection } from './coverage.ts';
import { nextSection } from './next-steps.ts';
import { policySection } from './policies.ts';
import { folderSection, objectSection, tierSection } from './risk.ts';
import { embeddedSection, typeSection } from './types-found.ts';

/** The report as text: warnings first, then findings, then coverage. */
export function renderReport(report: Report, style: TerminalStyle): string {
  const sections = [
    warningSection(report, style),
    headlineSection(report, style),
    [...verdictSection(report, style), ...apartLines(report, style)],
    tierSection(report, style),
    policySection(report, style),
    objectSection(report, style),
    embeddedSection(report, style),
    folderSection(report, style),
    typeSection(report, style),
    coverageSection(report, style),
    speedSection(report, style),
    nextSection(report, style),
  ];
  const text = sections.filter((lines) => lines.length > 0).map((lines) => lines.join('\n'));
  return `${text.join('\n\n')}\n`;
}

function warningSection(report: Report, style: TerminalStyle): string[] {
  const { word, warning } = statusText(report);
  if (warning === null) return [];
  const color = report.scan.status === 'failed' ? 'red' : 'yellow';
  return wrap(`${word.toUpperCase()}: ${warning}`, style.width).map((line) =>
    paint(style, ['bold', color], line),
  );
}

function headlineSection({ scan }: Report, style: TerminalStyle): string[] {
  const source = truncateMiddle(visible(scan.source), style.width - 6, ellipsis(style));
  const started = `${scan.createdAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  const about = [`scan ${visible(scan.id)}`, scan.status, `rules ${visible(scan.rules)}`, started];
  const lines = wrap(about.join(style.unicode ? ' · ' : ' | '), style.width);
  return [paint(style, 'bold', `Seine ${source}`), ...lines.map((line) => paint(style, 'gray', line))];
}

/** Known and suppressed findings are not listed, but always counted. */
function apartLines({ suppressed, baseline }: Report, style: TerminalStyle): string[] {
  const lines = [
    ...(baseline ? [baselineText(baseline)] : []),
    ...(suppressed.findings > 0 ? [suppressedText(suppressed)] : []),
  ];
  return lines.flatMap((line) => wrap(line, style.width)).map((line) => paint(style, 'gray', line));
}

/** Never says "clean": objects that were not fully read may contain findings. */
function verdictSection(report: Report, style: TerminalStyle): string[] {
  const coverage = coverageOf(report.ledger);
  const findings = totalFindings(report);
  if (findings > 0) {
    const kinds = pluralize(report.types.length, 'type');
    return [paint(style, 'bold', `${pluralize(findings, 'finding')} of ${kinds}`)];
  }
  if (report.baseline) return [paint(style, 'bold', 'No new findings.')];
  if (coverage.objects === 0) return ['No findings: no objects in the source.'];
  const unread =
    coverage.notRead > 0
      ? ` ${pluralize(coverage.notRead, 'object')} not fully read; they may contain findings.`
      : '';
  return wrap(`No findings in the objects read. ${coverageLine(coverage)}.${unread}`, style.width);
}
