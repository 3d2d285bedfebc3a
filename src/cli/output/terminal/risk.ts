import { displayKey } from '../../../base/key.ts';
import type { Tier } from '../../../governance/tier.ts';
import type { ObjectRisk, Report } from '../../../scans/results/report.ts';
import { groupDigits, pluralize } from '../quantities.ts';
import { ellipsis, heading, paint, type TerminalStyle, TIER_STYLES, WORST_FIRST } from '../terminal-style.ts';
import { padEnd, padStart, truncateEnd, truncateMiddle, widthOf } from '../text-width.ts';
import { visible } from '../visible.ts';

const MAX_OBJECTS = 10;
const MAX_FOLDERS = 5;
const BAR = 24;

export function tierSection(report: Report, style: TerminalStyle): string[] {
  const max = Math.max(...Object.values(report.tiers));
  if (max === 0) return [];
  const digits = widthOf(groupDigits(max));
  const rows = WORST_FIRST.map((tier) => {
    const count = report.tiers[tier];
    const label = padded(tier, style);
    return `  ${label}  ${padStart(groupDigits(count), digits)}  ${paint(style, barStyle(tier), bar(count / max, style))}`.trimEnd();
  });
  return [heading('Objects by risk', style), ...rows];
}

/** The last cell is filled in eighths; a share above 0 is at least one eighth. */
export function bar(share: number, style: TerminalStyle, cells = BAR): string {
  if (share <= 0) return '';
  if (!style.unicode) return '#'.repeat(Math.max(1, Math.round(share * cells)));
  const eighths = Math.max(1, Math.round(share * cells * 8));
  return '█'.repeat(Math.floor(eighths / 8)) + ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'][eighths % 8]!;
}

export function objectSection(report: Report, style: TerminalStyle): string[] {
  const worst = report.objects.slice(0, MAX_OBJECTS);
  if (worst.length === 0) return [];
  const rows = table(
    worst.map(({ key }) => displayKey(key)),
    worst.map((object) => contents(object, style)),
    style,
  );
  return [
    heading('Worst objects', style),
    ...worst.map((object, i) => `  ${risk(object.score, object.tier, style)}  ${rows[i]}`),
  ];
}

export function folderSection(report: Report, style: TerminalStyle): string[] {
  const worst = report.folders.slice(0, MAX_FOLDERS);
  if (worst.length === 0) return [];
  const rows = table(
    worst.map(({ folder }) => (folder === '' ? '(top)' : visible(folder))),
    worst.map(
      ({ findings, objects }) => `${pluralize(findings, 'finding')} in ${pluralize(objects, 'object')}`,
    ),
    style,
  );
  return [
    heading('Worst folders', style),
    ...worst.map((folder, i) => `  ${risk(folder.worst, folder.tier, style)}  ${rows[i]}`),
  ];
}

/** "12 SSN · 3 CREDIT_CARD" */
export function contents(object: Pick<ObjectRisk, 'counts'>, style: TerminalStyle): string {
  return Object.entries(object.counts)
    .toSorted(([, a], [, b]) => b - a)
    .map(([detector, count]) => `${groupDigits(count)} ${visible(detector)}`)
    .join(style.unicode ? ' · ' : ', ');
}

/** Two columns after score and tier; the first is as wide as it needs, up to three fifths of the room. */
function table(left: readonly string[], right: readonly string[], style: TerminalStyle): string[] {
  const room = style.width - 19;
  const longest = Math.max(...left.map(widthOf));
  const width = Math.min(
    longest,
    Math.max(Math.floor(room * 0.6), room - 2 - Math.max(...right.map(widthOf))),
  );
  return left.map((text, i) => {
    const first = padEnd(truncateMiddle(text, width, ellipsis(style)), width);
    const second = truncateEnd(right[i]!, Math.max(0, room - width - 2), ellipsis(style));
    return `${first}  ${paint(style, 'gray', second)}`.trimEnd();
  });
}

function risk(score: number, tier: Tier, style: TerminalStyle): string {
  return `${padStart(groupDigits(score), 3)}  ${padded(tier, style)}`;
}

/** Pads outside the colour, or the inverse style of CRITICAL would extend over the padding. */
function padded(tier: Tier, style: TerminalStyle): string {
  return paint(style, TIER_STYLES[tier], tier) + ' '.repeat('CRITICAL'.length - tier.length);
}

function barStyle(tier: Tier): 'red' | 'yellow' | 'cyan' | 'gray' {
  return tier === 'CRITICAL' || tier === 'HIGH'
    ? 'red'
    : tier === 'MEDIUM'
      ? 'yellow'
      : tier === 'LOW'
        ? 'cyan'
        : 'gray';
}
