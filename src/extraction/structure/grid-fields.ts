import type { TextPart } from '../extraction.ts';
import { cellName, type Grid } from '../grid.ts';
import { lastByte } from './name.ts';

const REACH = 64 * 1024;
const LF = 0x0a;
const TAB = 0x09;

/** Columns and cells of a table that a reader wrote: without quoting, so that tabs and line ends suffice. */
export function gridFieldLocator(
  grid: Grid,
  head: Uint8Array,
): Pick<TextPart, 'fieldAt' | 'fieldScope' | 'columns' | 'delimiter' | 'table' | 'cellAt'> {
  const { columns } = grid;
  const cellAt: TextPart['cellAt'] = (window, at, line) => {
    const column = columnAt(window, at);
    return column === null ? null : cellName(grid, line, column);
  };
  const table = { delimiter: TAB, quoted: false, names: columns, head };
  if (columns === null) return { fieldAt: () => null, fieldScope: 'near', table, cellAt };
  const fieldAt: TextPart['fieldAt'] = (window, at) => {
    const column = columnAt(window, at);
    return column === null ? null : columns[column] || null;
  };
  return { fieldAt, fieldScope: 'columns', columns, delimiter: TAB, table, cellAt };
}

/** Null: the row began before the window. */
function columnAt(window: Uint8Array, at: number): number | null {
  const min = Math.max(0, at - REACH);
  const start = lastByte(window, LF, at - 1, min);
  if (start === -1 && min > 0) return null;
  let column = 0;
  for (let i = Math.max(start, 0); i < at; i++) if (window[i] === TAB) column++;
  return column;
}
