import type { Report } from '../../scans/report.ts';
import { type Coverage, coverageLine, coverageOf, MIXED_VERSIONS, reasonOf } from './coverage.ts';
import { ellipsis, heading, type Look, paint } from './look.ts';
import { counted, grouped, humanBytes, humanSeconds, threeDigits } from './quantities.ts';
import { padStart, truncateEnd, wrap } from './text-width.ts';

const MOST_REASONS = 8;

/** What was looked at: one line whose parts sum up, and the reason of everything that was not read to the end. */
export function coverageSection(report: Report, look: Look): string[] {
  const coverage = coverageOf(report.ledger);
  const size = coverage.bytes > 0 ? ` (${humanBytes(coverage.bytes)})` : '';
  return [
    heading('Coverage', look),
    ...wrap(`${coverageLine(coverage)}${size}`, look.width - 2).map((line) => `  ${line}`),
    ...reasonRows(coverage, look),
    ...(report.scan.mixedVersions ? wrap(MIXED_VERSIONS, look.width - 2).map((line) => `  ${line}`) : []),
  ];
}

function reasonRows({ gaps }: Coverage, look: Look): string[] {
  const shown = gaps.slice(0, MOST_REASONS);
  const digits = Math.max(0, ...shown.map((line) => grouped(line.objects).length));
  const rows = shown.map((line) => {
    const row = `    ${padStart(grouped(line.objects), digits)} ${line.outcome}: ${reasonOf(line)}`;
    return paint(
      look,
      line.outcome === 'dead' ? 'red' : 'yellow',
      truncateEnd(row, look.width, ellipsis(look)),
    );
  });
  const rest = gaps.slice(MOST_REASONS);
  const objects = rest.reduce((sum, line) => sum + line.objects, 0);
  const more = `    ${counted(objects, 'object')} for ${counted(rest.length, 'other reason')}`;
  return rest.length > 0 ? [...rows, paint(look, 'yellow', more)] : rows;
}

/** Bytes per second are those that were read: what was found unchanged cost no reading. */
export function speedSection(report: Report, look: Look): string[] {
  const { seconds } = report.scan;
  const { objects, byOutcome } = coverageOf(report.ledger);
  if (objects === 0) return [];
  const read = byOutcome.scanned.bytes + byOutcome.partial.bytes;
  const rates =
    seconds > 0
      ? [`${threeDigits(objects / seconds)} objects/s`, `${threeDigits(read / seconds / 1e6)} MB/s`]
      : [];
  const dot = look.unicode ? ' · ' : ', ';
  return [heading('Speed', look), `  ${[...rates, humanSeconds(seconds)].join(dot)}`];
}
