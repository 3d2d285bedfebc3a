import { displayKey } from '../../base/key.ts';
import type { PolicyHits, Report } from '../../scans/report.ts';
import { ellipsis, heading, type Look, paint } from './look.ts';
import { counted } from './quantities.ts';
import { contents } from './terminal-risk.ts';
import { padEnd, truncateEnd, truncateMiddle, widthOf } from './text-width.ts';
import { visible } from './visible.ts';

const MOST_POLICIES = 12;

/** Which policies fired, on how much, and what spoke for them. */
export function policySection(report: Report, look: Look): string[] {
  const shown = report.policies.slice(0, MOST_POLICIES);
  if (shown.length === 0) return [];
  const name = Math.min(24, Math.max(...shown.map(({ policy }) => widthOf(visible(policy)))));
  const count = Math.max(...shown.map((hits) => extent(hits).length));
  const left = report.policies.length - shown.length;
  const more =
    left > 0 ? [paint(look, 'gray', `  and ${counted(left, 'more policy', 'more policies')}`)] : [];
  return [heading('Policies', look), ...shown.flatMap((hits) => rows(hits, name, count, look)), ...more];
}

function rows(hits: PolicyHits, name: number, count: number, look: Look): string[] {
  const label = padEnd(truncateEnd(visible(hits.policy), name, ellipsis(look)), name);
  const because = contents({ counts: hits.because }, look);
  const room = Math.max(0, look.width - name - count - 6);
  const why = paint(look, 'gray', truncateEnd(because, room, ellipsis(look)));
  const first = `  ${paint(look, 'bold', label)}  ${padEnd(extent(hits), count)}  ${why}`.trimEnd();
  const worst = hits.worst[0];
  if (worst === undefined) return [first];
  return [
    first,
    `      ${paint(look, 'gray', truncateMiddle(displayKey(worst.key), look.width - 6, ellipsis(look)))}`,
  ];
}

function extent({ objects }: PolicyHits): string {
  return counted(objects, 'object');
}
