import { displayKey } from '../../base/key.ts';
import { placeInObject } from '../../scans/finding-place.ts';
import type { Report } from '../../scans/report.ts';
import { ellipsis, heading, type Look, paint } from './look.ts';
import { padEnd, truncateEnd, truncateMiddle, widthOf } from './text-width.ts';
import { visible } from './visible.ts';

const VALUE = 20;

/** One value from the worst archive or document of each kind: which page, which cell, which member. */
export function insideSection({ insides }: Report, look: Look): string[] {
  if (insides.length === 0) return [];
  const name = Math.max(...insides.map(({ detector }) => widthOf(visible(detector))));
  const places = insides.map(({ key, ...place }) => `${displayKey(key)}${visible(placeInObject(place))}`);
  const room = Math.max(20, look.width - name - VALUE - 6);
  const width = Math.min(room, Math.max(...places.map(widthOf)));
  const rows = insides.map(({ detector, masked }, i) => {
    const place = padEnd(truncateMiddle(places[i]!, width, ellipsis(look)), width);
    const value = truncateEnd(visible(masked), VALUE, ellipsis(look));
    return `  ${place}  ${paint(look, 'bold', padEnd(visible(detector), name))}  ${paint(look, 'gray', value)}`;
  });
  return [heading('Inside documents and archives', look), ...rows];
}
