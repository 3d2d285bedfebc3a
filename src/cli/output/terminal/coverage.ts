import type { Report } from '../../../scans/results/report.ts';
import { type Coverage, coverageLine, coverageOf, MIXED_VERSIONS, reasonOf } from '../coverage.ts';
import { groupDigits, humanBytes, humanSeconds, pluralize, threeDigits } from '../quantities.ts';
import { ellipsis, heading, paint, type TerminalStyle } from '../terminal-style.ts';
import { padStart, truncateEnd, wrap } from '../text-width.ts';

const MAX_REASONS = 8;

/** The coverage: one line whose parts sum up to the total, and the reasons for objects not fully read. */
export function coverageSection(report: Report, style: TerminalStyle): string[] {
  const coverage = coverageOf(report.ledger);
  const size = coverage.bytes > 0 ? ` (${humanBytes(coverage.bytes)})` : '';
  return [
    heading('Coverage', style),
    ...wrap(`${coverageLine(coverage)}${size}`, style.width - 2).map((line) => `  ${line}`),
    ...reasonRows(coverage, style),
    ...(report.scan.mixedVersions ? wrap(MIXED_VERSIONS, style.width - 2).map((line) => `  ${line}`) : []),
  ];
}

function reasonRows({ gaps }: Coverage, style: TerminalStyle): string[] {
  const shown = gaps.slice(0, MAX_REASONS);
  const digits = Math.max(0, ...shown.map((line) => groupDigits(line.objects).length));
  const rows = shown.map((line) => {
    const row = `    ${padStart(groupDigits(line.objects), digits)} ${line.outcome}: ${reasonOf(line)}`;
    return paint(
      style,
      line.outcome === 'dead' ? 'red' : 'yellow',
      truncateEnd(row, style.width, ellipsis(style)),
    );
  });
  const rest = gaps.slice(MAX_REASONS);
  const objects = rest.reduce((sum, line) => sum + line.objects, 0);
  const more = `    ${pluralize(objects, 'object')} for ${pluralize(rest.length, 'other reason')}`;
  return rest.length > 0 ? [...rows, paint(style, 'yellow', more)] : rows;
}

/** The rate counts only bytes that were read: unchanged objects are not read. */
export function speedSection(report: Report, style: TerminalStyle): string[] {
  const { seconds } = report.scan;
  const { objects, byOutcome } = coverageOf(report.ledger);
  if (objects === 0) return [];
  const read = byOutcome.scanned.bytes + byOutcome.partial.bytes;
  const rates =
    seconds > 0
      ? [`${threeDigits(objects / seconds)} objects/s`, `${threeDigits(read / seconds / 1e6)} MB/s`]
      : [];
  const dot = style.unicode ? ' · ' : ', ';
  return [heading('Speed', style), `  ${[...rates, humanSeconds(seconds)].join(dot)}`];
}
