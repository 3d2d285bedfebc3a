/** A line of the screen before it is painted: what is cut off is cut by its width, never in the middle of a colour. */
import { ellipsis, type Look, paint } from '../look.ts';
import { padEnd, padStart, truncateEnd, widthOf } from '../text-width.ts';

export type Style = Parameters<typeof paint>[1];

export interface Span {
  readonly text: string;
  readonly style?: Style | undefined;
}

export type Line = readonly Span[];

export const BLANK: Line = [];

export function span(text: string, style?: Style): Span {
  return { text, style };
}

export function lineWidth(line: Line): number {
  return line.reduce((sum, { text }) => sum + widthOf(text), 0);
}

/** As the terminal gets it, never wider than `width`. */
export function paintLine(line: Line, width: number, look: Look): string {
  return clip(line, width, look)
    .map(({ text, style }) => (style === undefined ? text : paint(look, style, text)))
    .join('');
}

/** What stands on the right stays whole as long as there is room for it at all. */
export function ends(left: Line, right: Line, width: number, look: Look): Line {
  const room = width - lineWidth(right) - 1;
  if (room < width / 3) return clip(left, width, look);
  const start = clip(left, room, look);
  return [...start, span(' '.repeat(width - lineWidth(start) - lineWidth(right))), ...right];
}

export function cell(text: string, width: number, look: Look, align: 'left' | 'right' = 'left'): string {
  return (align === 'left' ? padEnd : padStart)(truncateEnd(text, width, ellipsis(look)), width);
}

/** Parts with dots between them; empty ones are left out. */
export function dotted(parts: readonly Line[], look: Look): Line {
  const dot = span(look.unicode ? ' · ' : ', ', 'gray');
  return parts
    .filter((part) => part.length > 0)
    .flatMap((part, index) => (index === 0 ? [...part] : [dot, ...part]));
}

function clip(line: Line, width: number, look: Look): Span[] {
  const kept: Span[] = [];
  let room = width;
  for (const { text, style } of line) {
    if (room <= 0) break;
    const fitting = truncateEnd(text, room, ellipsis(look));
    kept.push(span(fitting, style));
    room = fitting === text ? room - widthOf(text) : 0;
  }
  return kept;
}
