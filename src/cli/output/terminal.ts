import type { Report } from '../../scans/report.ts';
import { baselineText, coverageLine, coverageOf, suppressedText, totalFindings } from './coverage.ts';
import { ellipsis, type Look, paint } from './look.ts';
import { counted, grouped } from './quantities.ts';
import { statusOf } from './status.ts';
import { coverageSection, speedSection } from './terminal-coverage.ts';
import { insideSection } from './terminal-insides.ts';
import { nextSection } from './terminal-next.ts';
import { policySection } from './terminal-policies.ts';
import { folderSection, objectSection, tierSection } from './terminal-risk.ts';
import { typeSection } from './terminal-types.ts';
import { truncateMiddle, wrap } from './text-width.ts';
import { visible } from './visible.ts';

/** The report as text: what is wrong with it first, then what was found, then what was looked at. */
export function renderReport(report: Report, look: Look): string {
  const sections = [
    warningSection(report, look),
    headlineSection(report, look),
    [...verdictSection(report, look), ...apartLines(report, look)],
    tierSection(report, look),
    policySection(report, look),
    objectSection(report, look),
    insideSection(report, look),
    folderSection(report, look),
    typeSection(report, look),
    coverageSection(report, look),
    speedSection(report, look),
    nextSection(report, look),
  ];
  const text = sections.filter((lines) => lines.length > 0).map((lines) => lines.join('\n'));
  return `${text.join('\n\n')}\n`;
}

function warningSection(report: Report, look: Look): string[] {
  const { word, warning } = statusOf(report);
  if (warning === null) return [];
  const color = report.scan.status === 'failed' ? 'red' : 'yellow';
  return wrap(`${word.toUpperCase()}: ${warning}`, look.width).map((line) =>
    paint(look, ['bold', color], line),
  );
}

function headlineSection({ scan }: Report, look: Look): string[] {
  const source = truncateMiddle(visible(scan.source), look.width - 6, ellipsis(look));
  const started = `${scan.createdAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  const about = [`scan ${visible(scan.id)}`, scan.status, `rules ${visible(scan.rules)}`, started];
  const lines = wrap(about.join(look.unicode ? ' · ' : ' | '), look.width);
  return [paint(look, 'bold', `Seine ${source}`), ...lines.map((line) => paint(look, 'gray', line))];
}

/** What is known or accepted is not shown, but never passed over in silence. */
function apartLines({ suppressed, baseline }: Report, look: Look): string[] {
  const lines = [
    ...(baseline ? [baselineText(baseline)] : []),
    ...(suppressed.findings > 0 ? [suppressedText(suppressed)] : []),
  ];
  return lines.flatMap((line) => wrap(line, look.width)).map((line) => paint(look, 'gray', line));
}

/** Never "clean": silence about what was not read would say more than we know. */
function verdictSection(report: Report, look: Look): string[] {
  const coverage = coverageOf(report.ledger);
  const findings = totalFindings(report);
  if (findings > 0) {
    const kinds = counted(report.types.length, 'type');
    return [paint(look, 'bold', `${counted(findings, 'finding')} of ${kinds}`)];
  }
  if (report.baseline) return [paint(look, 'bold', 'Nothing new.')];
  if (coverage.objects === 0) return ['No findings: there was no object to look at.'];
  const unread =
    coverage.notRead > 0
      ? ` ${grouped(coverage.notRead)} of them were not read to the end: about those this says nothing.`
      : '';
  return wrap(`No findings in what was read. ${coverageLine(coverage)}.${unread}`, look.width);
}
