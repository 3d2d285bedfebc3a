import { displayKey } from '../../../base/key.ts';
import { formatLocation } from '../../../scans/results/finding-location.ts';
import type { Report, TypeRisk } from '../../../scans/results/report.ts';
import { groupDigits, pluralize } from '../quantities.ts';
import { ellipsis, heading, paint, type TerminalStyle } from '../terminal-style.ts';
import { padEnd, truncateEnd, truncateMiddle, widthOf } from '../text-width.ts';
import { visible } from '../visible.ts';

const MAX_TYPES = 15;
const MAX_SAMPLES = 2;

/** Each type with its counts and a few masked values with their locations, to assess it. */
export function typeSection(report: Report, style: TerminalStyle): string[] {
  if (report.types.length === 0) return [];
  const shown = report.types.slice(0, MAX_TYPES);
  const left = report.types.length - shown.length;
  const name = Math.min(28, Math.max(...shown.map(({ detector }) => widthOf(visible(detector)))));
  const count = Math.max(...shown.map((type) => extent(type).length));
  const rows = shown.flatMap((type) => [typeRow(type, name, count, style), ...sampleRows(type, style)]);
  const more = left > 0 ? [paint(style, 'gray', `  and ${pluralize(left, 'more type')}`)] : [];
  return [heading('Findings by type', style), ...rows, ...more];
}

function typeRow(type: TypeRisk, name: number, count: number, style: TerminalStyle): string {
  const label = padEnd(truncateEnd(visible(type.detector), name, ellipsis(style)), name);
  const room = Math.max(0, style.width - name - count - 6);
  const category = truncateEnd(visible(type.category), room, ellipsis(style));
  return `  ${paint(style, 'bold', label)}  ${padEnd(extent(type), count)}  ${paint(style, 'gray', category)}`.trimEnd();
}

function sampleRows(type: TypeRisk, style: TerminalStyle): string[] {
  return type.samples.slice(0, MAX_SAMPLES).map(({ masked, key, part, line }) => {
    const value = truncateEnd(visible(masked), Math.floor(style.width / 3), ellipsis(style));
    const place = `${displayKey(key)}${visible(formatLocation({ part, line }))}`;
    const room = style.width - 8 - widthOf(value);
    return `      ${value}  ${paint(style, 'gray', truncateMiddle(place, room, ellipsis(style)))}`;
  });
}

function extent({ findings, objects }: TypeRisk): string {
  return `${groupDigits(findings)} in ${pluralize(objects, 'object')}`;
}

const VALUE = 20;

/** One value from the worst archive or document of each type, with its page, cell or member. */
export function embeddedSection({ insides }: Report, style: TerminalStyle): string[] {
  if (insides.length === 0) return [];
  const name = Math.max(...insides.map(({ detector }) => widthOf(visible(detector))));
  const places = insides.map(({ key, ...place }) => `${displayKey(key)}${visible(formatLocation(place))}`);
  const room = Math.max(20, style.width - name - VALUE - 6);
  const width = Math.min(room, Math.max(...places.map(widthOf)));
  const rows = insides.map(({ detector, masked }, i) => {
    const place = padEnd(truncateMiddle(places[i]!, width, ellipsis(style)), width);
    const value = truncateEnd(visible(masked), VALUE, ellipsis(style));
    return `  ${place}  ${paint(style, 'bold', padEnd(visible(detector), name))}  ${paint(style, 'gray', value)}`;
  });
  return [heading('Inside documents and archives', style), ...rows];
}
