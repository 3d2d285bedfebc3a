import { displayKey } from '../../base/key.ts';
import { placeInObject } from '../../scans/finding-place.ts';
import type { Report, TypeRisk } from '../../scans/report.ts';
import { ellipsis, heading, type Look, paint } from './look.ts';
import { counted, grouped } from './quantities.ts';
import { padEnd, truncateEnd, truncateMiddle, widthOf } from './text-width.ts';
import { visible } from './visible.ts';

const MOST_TYPES = 15;
const MOST_SAMPLES = 2;

/** Each type with how much of it there is, and a few masked values with their places: enough to judge it. */
export function typeSection(report: Report, look: Look): string[] {
  if (report.types.length === 0) return [];
  const shown = report.types.slice(0, MOST_TYPES);
  const left = report.types.length - shown.length;
  const name = Math.min(28, Math.max(...shown.map(({ detector }) => widthOf(visible(detector)))));
  const count = Math.max(...shown.map((type) => extent(type).length));
  const rows = shown.flatMap((type) => [typeRow(type, name, count, look), ...sampleRows(type, look)]);
  const more = left > 0 ? [paint(look, 'gray', `  and ${counted(left, 'more type')}`)] : [];
  return [heading('Findings by type', look), ...rows, ...more];
}

function typeRow(type: TypeRisk, name: number, count: number, look: Look): string {
  const label = padEnd(truncateEnd(visible(type.detector), name, ellipsis(look)), name);
  const room = Math.max(0, look.width - name - count - 6);
  const category = truncateEnd(visible(type.category), room, ellipsis(look));
  return `  ${paint(look, 'bold', label)}  ${padEnd(extent(type), count)}  ${paint(look, 'gray', category)}`.trimEnd();
}

function sampleRows(type: TypeRisk, look: Look): string[] {
  return type.samples.slice(0, MOST_SAMPLES).map(({ masked, key, part, line }) => {
    const value = truncateEnd(visible(masked), Math.floor(look.width / 3), ellipsis(look));
    const place = `${displayKey(key)}${visible(placeInObject({ part, line }))}`;
    const room = look.width - 8 - widthOf(value);
    return `      ${value}  ${paint(look, 'gray', truncateMiddle(place, room, ellipsis(look)))}`;
  });
}

function extent({ findings, objects }: TypeRisk): string {
  return `${grouped(findings)} in ${counted(objects, 'object')}`;
}
