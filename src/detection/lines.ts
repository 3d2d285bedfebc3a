import { NEWLINE } from './bytes.ts';

/** A line's number and where it starts in the window: negative if before it, by gigabytes perhaps. */
export interface Line {
  number: number;
  start: number;
}

/** Counts on: `line` is the one at `from`, and then the one at `to`. */
export function countLines(bytes: Buffer, from: number, to: number, line: Line): void {
  for (let i = from; i < to; i++) {
    if (bytes[i] !== NEWLINE) continue;
    line.number++;
    line.start = i + 1;
  }
}

export function setLine(line: Line, to: Line): void {
  line.number = to.number;
  line.start = to.start;
}
