import { displayKey } from '../../../base/key.ts';
import { formatLocation } from '../../../scans/results/finding-location.ts';
import type { Report } from '../../../scans/results/report.ts';
import { ellipsis, heading, paint, type TerminalStyle } from '../terminal-style.ts';
import { padEnd, truncateEnd, truncateMiddle, widthOf } from '../text-width.ts';
import { visible } from '../visible.ts';

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
