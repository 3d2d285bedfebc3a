/** One object in full: each finding with its reasons, and the parts of its score. */
import type { Score } from '../../governance/score.ts';
import { formatLocation } from '../../scans/results/finding-location.ts';
import type { Inspection } from '../../scans/results/inspection.ts';
import { reasonText } from '../../scans/results/reason-code.ts';
import { groupDigits, pluralize } from './quantities.ts';
import { table } from './table.ts';
import { paint, type TerminalStyle, TIER_STYLES } from './terminal-style.ts';
import { visible } from './visible.ts';

export function renderInspection(
  file: string,
  inspection: Inspection,
  score: Score | null,
  style: TerminalStyle,
): string {
  const lines = [paint(style, 'bold', visible(file))];
  if (inspection.outcome !== 'scanned') {
    lines.push(
      `${paint(style, 'yellow', inspection.outcome)}: ${reasonText(inspection.reason)}. The unread part may contain findings.`,
    );
  }
  if (inspection.note !== undefined) lines.push(paint(style, 'yellow', `Note: ${inspection.note}.`));
  if (score === null) {
    if (inspection.outcome === 'scanned') lines.push('No findings.');
    return `${lines.join('\n')}\n`;
  }
  return `${lines.join('\n')}\n\n${findingTable(inspection)}${leftOut(inspection)}\n${scoreText(score, style)}${columnText(inspection, style)}${policyText(inspection, style)}`;
}

function findingTable(inspection: Inspection): string {
  const rows = inspection.findings.map((finding) => [
    visible(formatLocation(finding).replace(/^[:!]/, '')),
    finding.detector,
    finding.confidence.toFixed(2),
    visible(finding.masked),
    [...(finding.field === null ? [] : [`in ${visible(finding.field)}`]), ...finding.reasons].join(', '),
  ]);
  return table(
    ['right', 'left', 'right', 'left', 'left'],
    [['LOCATION', 'TYPE', 'CONFIDENCE', 'MASKED', 'REASONS'], ...rows],
  );
}

/** Findings that were counted but not kept. */
function leftOut({ findings, counts }: Inspection): string {
  const shown = Map.groupBy(findings, ({ detector }) => detector);
  const more = Object.entries(counts)
    .map(([detector, count]) => [detector, count - (shown.get(detector)?.length ?? 0)] as const)
    .filter(([, count]) => count > 0)
    .map(([detector, count]) => `${groupDigits(count)} of ${detector}`);
  return more.length === 0 ? '' : `Not listed: ${more.join(', ')}. Raise --max-findings to list them.\n`;
}

function columnText({ columns = [] }: Inspection, style: TerminalStyle): string {
  const rows = columns.map(({ column, detector, share, values }) => [
    `  ${visible(column)}`,
    `→ ${detector}`,
    `${Math.round(share * 100)} % of ${pluralize(values, 'value')}`,
  ]);
  return rows.length === 0
    ? ''
    : `\n${paint(style, 'bold', 'Columns')}\n${table(['left', 'left', 'right'], rows)}`;
}

function policyText({ policies, counts }: Inspection, style: TerminalStyle): string {
  const rows = Object.entries(policies).map(([policy, detectors]) => [
    `  ${policy}`,
    detectors.map((detector) => pluralize(counts[detector] ?? 0, detector, detector)).join(', '),
  ]);
  return rows.length === 0 ? '' : `\n${paint(style, 'bold', 'Policies')}\n${table(['left', 'left'], rows)}`;
}

export function scoreText(score: Score, style: TerminalStyle): string {
  const rows = score.parts.map((part) => [
    `  ${part.points.toFixed(1)}`,
    `${pluralize(part.count, 'finding')} of ${part.detector}`,
    `weight ${part.weight} × 4 × (1 + ln ${part.count}) × ${part.confidence.toFixed(2)}`,
  ]);
  const total = `Score ${score.score} of 100, ${paint(style, TIER_STYLES[score.tier], score.tier)}`;
  const times = score.multiplier
    ? `× ${score.multiplier.factor}  ${score.multiplier.rule.replaceAll('_', ' ')}: combination of types\n`
    : '';
  return `${total}\n${table(['right', 'left', 'left'], rows)}${times}`;
}
