/** Tables within texts: those with a head are grids, others are lines as ever. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Grid } from '../../../grid.ts';
import { tableHead } from '../../sheets/table-head.ts';
import { TextFlow } from './text-flow.ts';

type Cell = string | readonly string[] | Table;
interface Table {
  readonly rows: readonly (readonly Cell[])[];
  readonly marked?: number;
}

function writeTable(flow: TextFlow, { rows, marked }: Table): void {
  flow.beginTable();
  for (const [n, row] of rows.entries()) {
    if (n === marked) flow.markHead();
    for (const cell of row) {
      flow.beginCell();
      if (typeof cell === 'object' && 'rows' in cell) writeTable(flow, cell);
      else for (const line of typeof cell === 'string' ? [cell] : cell) addLine(flow, line);
      flow.endCell();
    }
    flow.endRow();
  }
  flow.endTable();
}

function addLine(flow: TextFlow, text: string): void {
  flow.write(text);
  flow.endLine();
}

interface Seen {
  location: string | null;
  text: string;
  grid?: Grid;
}

function seen(flow: TextFlow): Seen[] {
  const texts: Seen[] = [];
  for (const { location, grid, text } of flow.end()) {
    const last = texts.at(-1);
    if (last !== undefined && last.grid === grid && last.location === location)
      last.text += Buffer.from(text).toString();
    else texts.push({ location, text: Buffer.from(text).toString(), ...(grid && { grid }) });
  }
  return texts;
}

function between(table: Table, location: string | null = null): Seen[] {
  const flow = new TextFlow(location);
  addLine(flow, 'before');
  writeTable(flow, table);
  addLine(flow, 'after');
  return seen(flow);
}

const head = ['Name', 'SSN', 'City'];
const anna = ['Anna', '219-09-1234', 'Rome'];
const bo = ['Bo', '219-09-4321', 'Oslo'];

describe('a table with a head within a text', () => {
  it('is a grid between the text before and after', () => {
    const columns = ['Name', 'SSN', 'City'];
    expect(between({ rows: [head, anna, bo] })).toEqual([
      { location: null, text: 'before\n' },
      {
        location: 'table 1',
        text: 'Name\tSSN\tCity\nAnna\t219-09-1234\tRome\nBo\t219-09-4321\tOslo\n',
        grid: { columns, cells: 'sheet', firstRow: 1 },
      },
      { location: null, text: 'after\n' },
    ]);
    expect(between({ rows: [head, anna] }, 'slide 2')[1]).toMatchObject({ location: 'slide 2 table 1' });
  });

  it('may have a title of its own above, which is text', () => {
    const texts = between({ rows: [['All our people']].concat([head, anna, bo]) });
    expect(texts.map(({ text }) => text.split('\n')[0])).toEqual(['before', 'Name\tSSN\tCity', 'after']);
    expect(texts[0]!.text).toBe('before\nAll our people\n');
    expect(texts[1]!.grid?.firstRow).toBe(2);
  });

  it('has one line per row for any cell content', () => {
    const nested = { rows: [['x', 'y'], ['z']] };
    const texts = between({ rows: [head, [['Anna', 'Smith'], '17', ''], [nested, '1\t2', ''], bo] });
    expect(texts[1]!.text).toBe('Name\tSSN\tCity\nAnna Smith\t17\nx y z\t1 2\nBo\t219-09-4321\tOslo\n');
  });

  it('has columns without a cell of their own', () => {
    const flow = new TextFlow(null);
    flow.beginTable();
    for (const [n, row] of [head, anna, bo].entries()) {
      if (n === 2) flow.skipColumns(1);
      for (const cell of row) {
        flow.beginCell();
        if (n === 1 && cell === 'Anna') flow.skipColumns(1);
        flow.write(cell);
        flow.endCell();
      }
      flow.endRow();
    }
    flow.endTable();
    expect(seen(flow)[0]!.text).toBe('Name\tSSN\tCity\nAnna\t\t219-09-1234\tRome\n\tBo\t219-09-4321\tOslo\n');
  });

  it('that breaks off keeps what there was', () => {
    const flow = new TextFlow(null);
    flow.beginTable();
    for (const cell of [...head, ...anna, 'Bo', '219']) {
      flow.beginCell();
      flow.write(cell);
      if (cell !== '219') flow.endCell();
      if (cell === 'City' || cell === 'Rome') flow.endRow();
    }
    expect(seen(flow)).toMatchObject([{ text: 'Name\tSSN\tCity\nAnna\t219-09-1234\tRome\nBo\t219\n' }]);
  });

  it('is divided into chunks, also for long rows', () => {
    const flow = new TextFlow(null);
    const long = Array.from({ length: 9000 }, (_, n) => `${n}`);
    const rows = [head, anna, bo, anna, bo, anna, long, ['x'.repeat(3_000_000), 'y'], bo];
    flow.beginTable();
    let pieces = 0;
    let text = '';
    const take = () => {
      for (const chunk of flow.take()) {
        text += Buffer.from(chunk.text).toString();
        pieces++;
      }
    };
    for (const row of rows) {
      for (const cell of row) {
        flow.beginCell();
        flow.write(cell);
        flow.endCell();
        if (flow.full) take();
      }
      flow.endRow();
    }
    flow.endTable();
    take();
    expect(pieces).toBeGreaterThan(1);
    expect(text).toBe(`${rows.map((row) => row.join('\t')).join('\n')}\n`);
  });
});

describe('a table without a head within a text', () => {
  it('is lines of the text', () => {
    const form = [['Name:', 'Anna'], ['SSN', ['219-09-1234', 'or none']], ['one cell']];
    expect(between({ rows: form })).toEqual([
      { location: null, text: 'before\nName:\tAnna\nSSN\t219-09-1234\nor none\none cell\nafter\n' },
    ]);
  });

  it('that only holds others is lines, and they are what they are', () => {
    const texts = between({ rows: [[{ rows: [head, anna, bo] }, 'beside'], ['below']] });
    expect(texts.map(({ location, text }) => [location, text.split('\n').length])).toEqual([
      [null, 2],
      ['table 2', 4],
      [null, 4],
    ]);
    expect(texts[2]!.text).toBe('\tbeside\nbelow\nafter\n');
  });

  it('may have a caption, and text where none should be', () => {
    const flow = new TextFlow(null);
    flow.beginTable();
    addLine(flow, 'Our people');
    for (const cell of head) {
      flow.beginCell();
      flow.write(cell);
      flow.endCell();
    }
    flow.endRow();
    flow.write('stray');
    flow.beginCell();
    flow.write('x');
    flow.endCell();
    flow.endTable();
    expect(seen(flow)).toEqual([{ location: null, text: 'Our people\nName\tSSN\tCity\nstrayx\n' }]);
  });

  it('is not buffered for long', () => {
    const flow = new TextFlow(null);
    flow.beginTable();
    flow.beginCell();
    for (let n = 0; n < 100; n++) flow.write('x'.repeat(1000));
    expect(flow.full).toBe(true);
  });
});

describe('the head of a table in a text', () => {
  const form = (...rows: string[][]) => tableHead(rows, -1);

  it.each([
    ['three columns', [head, anna], 0],
    [
      'values to the left',
      [
        ['SSN', 'Name'],
        ['219-09-1234', 'Anna'],
      ],
      0,
    ],
    [
      'two columns, alike below',
      [
        ['Name', 'SSN'],
        ['Anna', '219-09-1234'],
        ['Bo', '219-09-4321'],
      ],
      0,
    ],
    [
      'addresses',
      [
        ['Name', 'Mail'],
        ['Anna', 'a@b.org'],
        ['Bo', 'bo.x@c.org'],
      ],
      0,
    ],
    [
      'a form',
      [
        ['Name', 'Anna Smith'],
        ['SSN', '219-09-1234'],
        ['Phone', '(212) 555-0100'],
      ],
      -1,
    ],
    [
      'a short form',
      [
        ['Name', 'Anna Smith'],
        ['SSN', '219-09-1234'],
      ],
      -1,
    ],
    [
      'a form of words',
      [
        ['Name', 'Anna Smith'],
        ['City', 'Rome'],
        ['Country', 'Italy'],
      ],
      -1,
    ],
    [
      'two forms side by side',
      [
        ['Name', 'Anna', 'City', 'Rome'],
        ['SSN', '219-09-1234', 'Phone', '555-0100'],
      ],
      -1,
    ],
    ['one column', [['Name'], ['Anna']], -1],
    ['nothing', [], -1],
  ])('%s', (_, rows, expected) => {
    expect(form(...rows)).toBe(expected);
  });

  it('is what the document declares, if plausible', () => {
    const rows = [
      ['Name', 'City'],
      ['Ann', 'Rome'],
      ['Bo', 'Oslo'],
    ];
    expect(tableHead(rows, -1)).toBe(-1);
    expect(tableHead(rows, 0)).toBe(0);
    expect(
      tableHead(
        [
          ['219-09-1234', 'x'],
          ['1', '2'],
        ],
        0,
      ),
    ).toBe(-1);
    expect(tableHead(rows, 7)).toBe(-1);
  });
});

describe('any table within a text', () => {
  it('has no more columns than the limit for skipped ones, however many it declares', () => {
    const flow = new TextFlow(null);
    flow.beginTable();
    for (const row of [head, anna, bo]) {
      for (let i = 0; row === bo && i < 10_000; i++) flow.skipColumns(64);
      for (const cell of row) {
        flow.beginCell();
        flow.write(cell);
        flow.endCell();
      }
      flow.endRow();
    }
    expect(seen(flow)[0]!.text.length).toBeLessThan(10_000);
  });

  it('loses no word', () => {
    const word = fc.constantFrom('Name', 'SSN', 'Anna', '219-09-1234', '17', 'a@b.org', '', 'City:');
    const cell: fc.Arbitrary<Cell> = fc.letrec<{ cell: Cell; table: Table }>((tie) => ({
      cell: fc.oneof({ maxDepth: 2 }, word, fc.array(word, { maxLength: 3 }), tie('table')),
      table: fc.record({ rows: fc.array(fc.array(tie('cell'), { maxLength: 4 }), { maxLength: 8 }) }),
    })).cell;
    const words = (value: Cell): string[] =>
      typeof value === 'string' ? [value] : 'rows' in value ? value.rows.flat().flatMap(words) : [...value];
    fc.assert(
      fc.property(fc.array(fc.array(cell, { maxLength: 4 }), { maxLength: 8 }), (rows) => {
        const writtenCells = between({ rows })
          .map(({ text }) => text)
          .join('')
          .split(/\s+/);
        expect(writtenCells.filter((one) => one !== '')).toEqual(
          ['before', ...words({ rows }), 'after'].filter((one) => one !== ''),
        );
      }),
      { numRuns: 500 },
    );
  });
});
