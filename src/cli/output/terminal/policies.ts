import { displayKey } from '../../../base/key.ts';
import type { PolicyHits, Report } from '../../../scans/results/report.ts';
import { pluralize } from '../quantities.ts';
import { ellipsis, heading, paint, type TerminalStyle } from '../terminal-style.ts';
import { padEnd, truncateEnd, truncateMiddle, widthOf } from '../text-width.ts';
import { visible } from '../visible.ts';
import { contents } from './risk.ts';

const MAX_POLICIES = 12;

/** Which policies matched, how many objects, and because of which findings. */
export function policySection(report: Report, style: TerminalStyle): string[] {
  const shown = report.policies.slice(0, MAX_POLICIES);
  if (shown.length === 0) return [];
  const name = Math.min(24, Math.max(...shown.map(({ policy }) => widthOf(visible(policy)))));
  const count = Math.max(...shown.map((hits) => extent(hits).length));
  const left = report.policies.length - shown.length;
  const more =
    left > 0 ? [paint(style, 'gray', `  and ${pluralize(left, 'more policy', 'more policies')}`)] : [];
  return [heading('Policies', style), ...shown.flatMap((hits) => rows(hits, name, count, style)), ...more];
}

function rows(hits: PolicyHits, name: number, count: number, style: TerminalStyle): string[] {
  const label = padEnd(truncateEnd(visible(hits.policy), name, ellipsis(style)), name);
  const because = contents({ counts: hits.because }, style);
  const room = Math.max(0, style.width - name - count - 6);
  const why = paint(style, 'gray', truncateEnd(because, room, ellipsis(style)));
  const first = `  ${paint(style, 'bold', label)}  ${padEnd(extent(hits), count)}  ${why}`.trimEnd();
  const worst = hits.worst[0];
  if (worst === undefined) return [first];
  return [
    first,
    `      ${paint(style, 'gray', truncateMiddle(displayKey(worst.key), style.width - 6, ellipsis(style)))}`,
  ];
}

function extent({ objects }: PolicyHits): string {
  return pluralize(objects, 'object');
}
