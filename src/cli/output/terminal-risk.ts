import { displayKey } from '../../base/key.ts';
import type { Tier } from '../../governance/tier.ts';
import type { ObjectRisk, Report } from '../../scans/report.ts';
import { ellipsis, heading, type Look, paint, TIER_STYLES, WORST_FIRST } from './look.ts';
import { counted, grouped } from './quantities.ts';
import { padEnd, padStart, truncateEnd, truncateMiddle, widthOf } from './text-width.ts';
import { visible } from './visible.ts';

const MOST_OBJECTS = 10;
const MOST_FOLDERS = 5;
const BAR = 24;

export function tierSection(report: Report, look: Look): string[] {
  const most = Math.max(...Object.values(report.tiers));
  if (most === 0) return [];
  const digits = widthOf(grouped(most));
  const rows = WORST_FIRST.map((tier) => {
    const count = report.tiers[tier];
    const label = padded(tier, look);
    return `  ${label}  ${padStart(grouped(count), digits)}  ${paint(look, barStyle(tier), bar(count / most, look))}`.trimEnd();
  });
  return [heading('Objects by risk', look), ...rows];
}

/** The last cell is filled in eighths; something is never drawn as nothing. */
export function bar(share: number, look: Look, cells = BAR): string {
  if (share <= 0) return '';
  if (!look.unicode) return '#'.repeat(Math.max(1, Math.round(share * cells)));
  const eighths = Math.max(1, Math.round(share * cells * 8));
  return '█'.repeat(Math.floor(eighths / 8)) + ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'][eighths % 8]!;
}

export function objectSection(report: Report, look: Look): string[] {
  const worst = report.objects.slice(0, MOST_OBJECTS);
  if (worst.length === 0) return [];
  const rows = table(
    worst.map(({ key }) => displayKey(key)),
    worst.map((object) => contents(object, look)),
    look,
  );
  return [
    heading('Worst objects', look),
    ...worst.map((object, i) => `  ${risk(object.score, object.tier, look)}  ${rows[i]}`),
  ];
}

export function folderSection(report: Report, look: Look): string[] {
  const worst = report.folders.slice(0, MOST_FOLDERS);
  if (worst.length === 0) return [];
  const rows = table(
    worst.map(({ folder }) => (folder === '' ? '(top)' : visible(folder))),
    worst.map(({ findings, objects }) => `${counted(findings, 'finding')} in ${counted(objects, 'object')}`),
    look,
  );
  return [
    heading('Worst folders', look),
    ...worst.map((folder, i) => `  ${risk(folder.worst, folder.tier, look)}  ${rows[i]}`),
  ];
}

/** "12 SSN · 3 CREDIT_CARD" */
export function contents(object: Pick<ObjectRisk, 'counts'>, look: Look): string {
  return Object.entries(object.counts)
    .toSorted(([, a], [, b]) => b - a)
    .map(([detector, count]) => `${grouped(count)} ${visible(detector)}`)
    .join(look.unicode ? ' · ' : ', ');
}

/** Two columns beside score and tier; the first takes what it needs, up to three fifths of the room. */
function table(left: readonly string[], right: readonly string[], look: Look): string[] {
  const room = look.width - 19;
  const longest = Math.max(...left.map(widthOf));
  const width = Math.min(
    longest,
    Math.max(Math.floor(room * 0.6), room - 2 - Math.max(...right.map(widthOf))),
  );
  return left.map((text, i) => {
    const first = padEnd(truncateMiddle(text, width, ellipsis(look)), width);
    const second = truncateEnd(right[i]!, Math.max(0, room - width - 2), ellipsis(look));
    return `${first}  ${paint(look, 'gray', second)}`.trimEnd();
  });
}

function risk(score: number, tier: Tier, look: Look): string {
  return `${padStart(grouped(score), 3)}  ${padded(tier, look)}`;
}

/** Spaces stay outside the colour, or the inverse of CRITICAL would draw a box. */
function padded(tier: Tier, look: Look): string {
  return paint(look, TIER_STYLES[tier], tier) + ' '.repeat('CRITICAL'.length - tier.length);
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
