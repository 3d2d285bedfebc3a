/** One object in full: each finding with its reasons, and how the score comes about. */
import type { Score } from '../../governance/score.ts';
import { placeInObject } from '../../scans/finding-place.ts';
import type { Inspection } from '../../scans/inspection.ts';
import { type Look, paint, TIER_STYLES } from './look.ts';
import { counted, grouped } from './quantities.ts';
import { table } from './table.ts';
import { visible } from './visible.ts';

export function renderInspection(
  file: string,
  inspection: Inspection,
  score: Score | null,
  look: Look,
): string {
  const lines = [paint(look, 'bold', visible(file))];
  if (inspection.outcome !== 'scanned') {
    lines.push(
      `${paint(look, 'yellow', inspection.outcome)}: ${inspection.reason}. What was not read is not called clean.`,
    );
  }
  if (inspection.note !== undefined) lines.push(paint(look, 'yellow', `Note: ${inspection.note}.`));
  if (score === null) {
    if (inspection.outcome === 'scanned') lines.push('Nothing was found.');
    return `${lines.join('\n')}\n`;
  }
  return `${lines.join('\n')}\n\n${findingTable(inspection)}${leftOut(inspection)}\n${scoreText(score, look)}${columnText(inspection, look)}${policyText(inspection, look)}`;
}

function findingTable(inspection: Inspection): string {
  const rows = inspection.findings.map((finding) => [
    visible(placeInObject(finding).replace(/^[:!]/, '')),
    finding.detector,
    finding.confidence.toFixed(2),
    visible(finding.masked),
    [...(finding.field === null ? [] : [`in ${visible(finding.field)}`]), ...finding.reasons].join(', '),
  ]);
  return table(
    ['right', 'left', 'right', 'left', 'left'],
    [['PLACE', 'TYPE', 'SURE', 'MASKED', 'WHY'], ...rows],
  );
}

/** Counts are exact however many findings are kept. */
function leftOut({ findings, counts }: Inspection): string {
  const shown = Map.groupBy(findings, ({ detector }) => detector);
  const more = Object.entries(counts)
    .map(([detector, count]) => [detector, count - (shown.get(detector)?.length ?? 0)] as const)
    .filter(([, count]) => count > 0)
    .map(([detector, count]) => `${grouped(count)} of ${detector}`);
  return more.length === 0 ? '' : `Not listed: ${more.join(', ')}. --max-findings sets how many are.\n`;
}

function columnText({ columns = [] }: Inspection, look: Look): string {
  const rows = columns.map(({ column, detector, share, values }) => [
    `  ${visible(column)}`,
    `→ ${detector}`,
    `${Math.round(share * 100)} % of ${counted(values, 'value')}`,
  ]);
  return rows.length === 0
    ? ''
    : `\n${paint(look, 'bold', 'Columns')}\n${table(['left', 'left', 'right'], rows)}`;
}

function policyText({ policies, counts }: Inspection, look: Look): string {
  const rows = Object.entries(policies).map(([policy, detectors]) => [
    `  ${policy}`,
    detectors.map((detector) => counted(counts[detector] ?? 0, detector, detector)).join(', '),
  ]);
  return rows.length === 0 ? '' : `\n${paint(look, 'bold', 'Policies')}\n${table(['left', 'left'], rows)}`;
}

export function scoreText(score: Score, look: Look): string {
  const rows = score.parts.map((part) => [
    `  ${part.points.toFixed(1)}`,
    `${counted(part.count, 'finding')} of ${part.detector}`,
    `weight ${part.weight} × 4 × (1 + ln ${part.count}) × ${part.confidence.toFixed(2)}`,
  ]);
  const total = `Score ${score.score} of 100, ${paint(look, TIER_STYLES[score.tier], score.tier)}`;
  const times = score.multiplier
    ? `× ${score.multiplier.factor}  ${score.multiplier.rule.replaceAll('_', ' ')}: worse together\n`
    : '';
  return `${total}\n${table(['right', 'left', 'left'], rows)}${times}`;
}
