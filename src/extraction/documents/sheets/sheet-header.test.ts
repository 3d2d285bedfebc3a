import { describe, expect, it } from 'vitest';
import { workbookOf } from '../office/excel/excel.fixture.ts';
import { readExcel } from '../office/excel/excel.ts';
import { readBack } from '../office/office.fixture.ts';
import { headerAmong } from './sheet-header.ts';

describe('names of the columns of a sheet', () => {
  it.each([
    [
      'above values',
      [
        ['Name', 'Born'],
        ['Ann', '1980'],
      ],
      0,
    ],
    [
      'above texts only',
      [
        ['Name', 'City'],
        ['Ann', 'Rome'],
        ['Bo 12345', 'Oslo'],
      ],
      0,
    ],
    ['below a title', [['Staff 2024'], ['Name', 'Mail'], ['Ann', 'a@b.org']], 1],
    [
      'below a title of two cells',
      [
        ['Staff', 'Draft'],
        ['Name', 'Mail', 'City'],
        ['Ann', 'a@b.org', 'Rome'],
      ],
      1,
    ],
    [
      'below a form of two columns',
      [
        ['Firm', 'Acme Ltd'],
        ['Period', '2024-01-01'],
        ['Name', 'Mail', 'City'],
        ['Ann', 'a@b.org', 'Rome'],
      ],
      2,
    ],
    [
      'above two columns, though a remark makes a row wider',
      [
        ['Name', 'City'],
        ['Ann', 'Rome'],
        ['Bo', 'Oslo', 'moved'],
        ['Cy', 'Lima'],
      ],
      0,
    ],
    [
      'with a year among them',
      [
        ['Name', 'City', '2024'],
        ['Ann', 'Rome', '17'],
      ],
      0,
    ],
    [
      'that start further right',
      [
        ['', 'Name', 'City'],
        ['1', 'Ann', 'Rome'],
      ],
      0,
    ],
  ])('stand %s', (_, rows, row) => {
    expect(headerAmong(rows)).toBe(row);
  });

  it.each([
    [
      'values only',
      [
        ['1', '2'],
        ['3', '4'],
      ],
    ],
    ['one column', [['Name'], ['Ann']]],
    [
      'a form',
      [
        ['Name:', 'Ann Smith'],
        ['E-mail:', 'ann@example.org'],
      ],
    ],
    ['a row that is not followed yet', [['Name', 'Born']]],
    ['nothing', []],
  ])('are not in %s', (_, rows) => {
    expect(headerAmong(rows)).toBe(-1);
  });

  it('are the same for all chunks; a title above is a separate text', async () => {
    const rows = [
      ['Staff 2024'],
      ['Name', undefined, 'Born'],
      ...Array.from({ length: 9000 }, () => ['Ann', 'x', 1980]),
    ];
    const { texts } = await readBack(readExcel, workbookOf(rows));
    expect(texts).toHaveLength(2);
    expect(texts[0]).toEqual({
      location: 'Sheet1',
      text: 'Staff 2024\n',
      grid: { columns: null, cells: 'sheet', firstRow: 1 },
    });
    expect(texts[1]!.grid).toEqual({ columns: ['Name', '', 'Born'], cells: 'sheet', firstRow: 2 });
    expect(texts[1]!.text.split('\n')).toHaveLength(9002);
  });

  it('are not searched below the first rows', async () => {
    const rows = [...Array.from({ length: 10 }, () => [1, 2]), ['Name', 'Born'], ['Ann', 1980]];
    expect((await readBack(readExcel, workbookOf(rows))).texts[0]!.grid?.columns).toBeNull();
  });
});
