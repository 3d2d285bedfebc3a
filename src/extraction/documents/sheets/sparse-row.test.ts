import { describe, expect, it } from 'vitest';
import { cellName } from '../../grid.ts';
import { allColumns, SparseRow, withoutSkipped } from './sparse-row.ts';

function rowOf(cells: Readonly<Record<number, string>>): SparseRow {
  const row = new SparseRow();
  for (const [column, text] of Object.entries(cells)) row.put(Number(column), text);
  return row;
}

describe('a row', () => {
  it('has an empty cell for each column without a value', () => {
    expect(rowOf({ 1: 'b', 3: 'd' })).toMatchObject({ cells: ['', 'b', '', 'd'], skips: [] });
  });

  it('skips many columns without a value, and keeps the positions of its cells', () => {
    const { cells, skips } = rowOf({ 0: 'a', 1000: 'x', 1002: 'y', 16383: 'z' });
    expect(cells).toEqual(['a', 'x', '', 'y', 'z']);
    const grid = { columns: null, cells: 'sheet', firstRow: 7, skips } as const;
    expect(cells.map((_, i) => cellName(grid, 1, i))).toEqual(['A7', 'ALM7', 'ALN7', 'ALO7', 'XFD7']);
    const all = allColumns(cells, skips);
    expect([all.length, all[0], all[1000], all[1002], all[16_383]]).toEqual([16_384, 'a', 'x', 'y', 'z']);
    expect(withoutSkipped(all, skips)).toEqual(cells);
  });

  it('rejects a cell before skipped columns', () => {
    const row = rowOf({ 1000: 'x' });
    expect(row.put(3, 'c')).toBe(false);
    expect(row.put(1000, 'again')).toBe(true);
    expect(row.cells).toEqual(['again']);
  });

  it('has the names of the columns that it has', () => {
    const { skips } = rowOf({ 0: 'a', 1000: 'x' });
    expect(withoutSkipped(['id', 'name'], skips)).toEqual(['id']);
    expect(withoutSkipped([], skips)).toEqual(['']);
  });
});
