import type { Skip } from '../../grid.ts';

/** Columns without a value are written as empty cells, if there are not more of them side by side. */
const MAX_GAP = 256;

/** The cells of one row. A value in the last column of a sheet does not cost all columns before it. */
export class SparseRow {
  readonly cells: string[] = [];
  readonly skips: Skip[] = [];
  #skipped = 0;

  /** The column counts from 0. Returns false if it precedes skipped columns: then the row must end first. */
  put(column: number, text: string, times = 1): boolean {
    const { cells, skips } = this;
    let index = column - this.#skipped;
    if (index < (skips.at(-1)?.at ?? 0)) return false;
    const gap = index - cells.length;
    if (gap > MAX_GAP) {
      skips.push({ at: cells.length, columns: gap });
      this.#skipped += gap;
      index -= gap;
    }
    while (cells.length < index) cells.push('');
    for (let i = 0; i < times; i++) cells[index + i] = text;
    return true;
  }

  get empty(): boolean {
    return this.cells.length === 0;
  }
}

/** By column, with nothing where there is none. */
export function allColumns(cells: readonly string[], skips: readonly Skip[]): readonly string[] {
  if (skips.length === 0) return cells;
  const all: string[] = [];
  for (const [i, skip] of skips.entries()) {
    all.push(...cells.slice(skips[i - 1]?.at ?? 0, skip.at));
    for (let n = 0; n < skip.columns; n++) all.push('');
  }
  return [...all, ...cells.slice(skips.at(-1)!.at)];
}

/** What is left of a list by column when these are left out. */
export function withoutSkipped(all: readonly string[], skips: readonly Skip[]): readonly string[] {
  if (skips.length === 0) return all;
  const left: string[] = [];
  let from = 0;
  for (const [i, skip] of skips.entries()) {
    const to = from + skip.at - (skips[i - 1]?.at ?? 0);
    left.push(...all.slice(from, to));
    while (left.length < skip.at) left.push('');
    from = to + skip.columns;
  }
  return [...left, ...all.slice(from)];
}
