/** A line of the screen before colours are applied, so that it is cut by its width and never within an escape sequence. */
import { ellipsis, paint, type TerminalStyle } from '../terminal-style.ts';
import { padEnd, padStart, truncateEnd, widthOf } from '../text-width.ts';

export type TextStyle = Parameters<typeof paint>[1];

export interface StyledText {
  readonly text: string;
  readonly style?: TextStyle | undefined;
}

export type StyledLine = readonly StyledText[];

export const EMPTY_LINE: StyledLine = [];

export function span(text: string, style?: TextStyle): StyledText {
  return { text, style };
}

export function lineWidth(line: StyledLine): number {
  return line.reduce((sum, { text }) => sum + widthOf(text), 0);
}

/** The line with colours, never wider than `width`. */
export function renderLine(line: StyledLine, width: number, terminalStyle: TerminalStyle): string {
  return clip(line, width, terminalStyle)
    .map(({ text, style }) => (style === undefined ? text : paint(terminalStyle, style, text)))
    .join('');
}

/** The right end is kept whole as long as it fits; the left end is cut. */
export function alignEnds(
  left: StyledLine,
  right: StyledLine,
  width: number,
  style: TerminalStyle,
): StyledLine {
  const room = width - lineWidth(right) - 1;
  if (room < width / 3) return clip(left, width, style);
  const start = clip(left, room, style);
  return [...start, span(' '.repeat(width - lineWidth(start) - lineWidth(right))), ...right];
}

export function cell(
  text: string,
  width: number,
  style: TerminalStyle,
  align: 'left' | 'right' = 'left',
): string {
  return (align === 'left' ? padEnd : padStart)(truncateEnd(text, width, ellipsis(style)), width);
}

/** Joins parts with dots; empty parts are omitted. */
export function joinWithDots(parts: readonly StyledLine[], style: TerminalStyle): StyledLine {
  const dot = span(style.unicode ? ' · ' : ', ', 'gray');
  return parts
    .filter((part) => part.length > 0)
    .flatMap((part, index) => (index === 0 ? [...part] : [dot, ...part]));
}

function clip(line: StyledLine, width: number, terminalStyle: TerminalStyle): StyledText[] {
  const kept: StyledText[] = [];
  let room = width;
  for (const { text, style } of line) {
    if (room <= 0) break;
    const fitting = truncateEnd(text, room, ellipsis(terminalStyle));
    kept.push(span(fitting, style));
    room = fitting === text ? room - widthOf(text) : 0;
  }
  return kept;
}
