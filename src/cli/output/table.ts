/** Columns for a terminal: as wide as their content, the numbers to the right. */
import { padEnd, padStart, widthOf } from './text-width.ts';

export type Align = 'left' | 'right';

export function table(aligns: readonly Align[], rows: readonly (readonly string[])[]): string {
  const widths = aligns.map((_, column) => Math.max(0, ...rows.map((row) => widthOf(row[column] ?? ''))));
  const line = (row: readonly string[]) =>
    aligns
      .map((align, column) => (align === 'left' ? padEnd : padStart)(row[column] ?? '', widths[column]!))
      .join('  ')
      .trimEnd();
  return rows.map((row) => `${line(row)}\n`).join('');
}
