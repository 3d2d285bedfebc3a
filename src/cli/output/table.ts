/** Aligned columns, as wide as their content. */
import { padEnd, padStart, widthOf } from './text-width.ts';
import { terminalText } from './visible.ts';

export type Align = 'left' | 'right';

export function table(aligns: readonly Align[], cells: readonly (readonly string[])[]): string {
  // A cell must stay on one line, even if a name or a message contains line breaks.
  const rows = cells.map((row) => row.map((cell) => terminalText(cell).replaceAll('\n', ' ')));
  const widths = aligns.map((_, column) =>
    rows.reduce((widest, row) => Math.max(widest, widthOf(row[column] ?? '')), 0),
  );
  const line = (row: readonly string[]) =>
    aligns
      .map((align, column) => (align === 'left' ? padEnd : padStart)(row[column] ?? '', widths[column]!))
      .join('  ')
      .trimEnd();
  return rows.map((row) => `${line(row)}\n`).join('');
}
