import { describe, expect, it } from 'vitest';
import { readBack, relations, type Seen, textAt, zipped } from '../../office.fixture.ts';
import { readExcel } from '../excel.ts';
import {
  binaryFiles,
  cell,
  float,
  formula,
  record,
  row,
  rowOf,
  sheetOf,
  u8,
  u16,
  u32,
  wide,
} from './binary.fixture.ts';

type Book = Parameters<typeof binaryFiles>[1];

const reading = (sheet: Uint8Array, book?: Book): Promise<Seen> =>
  readBack(readExcel, zipped(binaryFiles({ Sheet1: sheet }, book)));

async function cellsOf(cells: readonly Uint8Array[], book?: Book): Promise<string | null> {
  const seen = await reading(sheetOf([row(1), ...cells]), book);
  expect(seen.error).toBeNull();
  return textAt(seen, 'Sheet1');
}

describe('sheets of a binary workbook', () => {
  it('are grids in the order of the workbook, hidden or not, with the names of their columns', async () => {
    const people = sheetOf([rowOf(1, 'Name', 'Born', 'Tax id'), rowOf(2, 'Ann & Bö', 1980, 'X1')]);
    const seen = await readBack(
      readExcel,
      zipped(binaryFiles({ "Ann's": people, Other: sheetOf([rowOf(3, 7)]) })),
    );
    expect(seen).toEqual({
      texts: [
        {
          location: "Ann's",
          text: 'Name\tBorn\tTax id\nAnn & Bö\t1980\tX1\n',
          grid: { columns: ['Name', 'Born', 'Tax id'], cells: 'sheet', firstRow: 1 },
        },
        { location: 'Other', text: '7\n', grid: { columns: null, cells: 'sheet', firstRow: 3 } },
      ],
      entries: [],
      error: null,
    });
  });

  it('have numbers of all kinds, dates as dates, and other values as in XML', async () => {
    const cells = [
      cell(2, 0, u32((1234 << 2) | 2)),
      cell(2, 1, u32((1234 << 2) | 3)),
      cell(5, 2, float(4111111111111111)),
      cell(5, 3, float(29358), 1),
      cell(9, 4, Buffer.concat([float(29358.5), u16(0), u32(0, 0)]), 2),
      cell(5, 5, float(78051120), 3),
      cell(4, 6, u8(1)),
      cell(10, 7, u8(0)),
      cell(3, 8, u8(0x2a)),
      cell(11, 9, u8(0x07)),
    ];
    expect(await cellsOf(cells)).toBe(
      '1234\t12.34\t4111111111111111\t1980-05-17\t1980-05-17\t078-05-1120\tTRUE\tFALSE\t#N/A\t#DIV/0!\n',
    );
  });

  it('have texts of all kinds', async () => {
    const cells = [
      cell(7, 0, u32(1)),
      cell(6, 1, wide('in\nline')),
      cell(8, 2, Buffer.concat([wide('calculated'), u16(0), u32(0, 0)])),
      cell(62, 3, Buffer.concat([u8(1), wide('rich'), u32(1), u16(0), u16(1)])),
      cell(1, 4, u8()),
    ];
    expect(await cellsOf(cells, { strings: ['zero', 'shared ж'] })).toBe(
      'shared ж\tin line\tcalculated\trich\n',
    );
  });

  it('may leave out the columns of cells that follow each other', async () => {
    const short = (type: number, value: Uint8Array) => record(type, u32(0), value);
    const cells = [
      cell(5, 2, float(1)),
      short(16, float(2)),
      short(12, u8()),
      short(17, wide('x')),
      short(18, u32(0)),
      short(13, u32(6)),
      short(15, u8(1)),
      short(14, u8(0)),
    ];
    expect(await cellsOf(cells, { strings: ['s'] })).toBe('\t\t1\t2\t\tx\ts\t1\tTRUE\t#NULL!\n');
  });

  it('count days from 1904 where the workbook does', async () => {
    expect(await cellsOf([cell(5, 0, float(27896), 1)], { from1904: true })).toBe('1980-05-17\n');
  });
});

describe('text of binary workbooks outside of sheets', () => {
  it('are links that no cell shows, lines above pages, and what may be chosen', async () => {
    const area = (at: number) => u32(at, at, 1, 1);
    const link = (id: string, at: number) => record(494, area(at), wide(id), wide(''), wide(''), wide(''));
    const validation = record(
      64,
      u32(0x83, 2),
      area(1),
      area(9),
      ...['', 'Wrong', 'Pick', ''].map(wide),
      formula('Ann\0Bo'),
      u32(0, 0),
    );
    const margins = record(
      479,
      u16(0),
      wide('&CConfidential'),
      u32(0xffffffff),
      ...['', '', '', ''].map(wide),
    );
    const sheet = sheetOf(
      [rowOf(1, 'ann@example.org')],
      [link('rId1', 0), link('rId2', 1), validation, margins],
    );
    const more = {
      'xl/worksheets/_rels/sheet1.bin.rels': relations({
        rId1: ['hyperlink', 'mailto:ann@example.org'],
        rId2: ['hyperlink', 'https://example.org/home'],
      }),
    };
    expect((await reading(sheet, { more })).texts.slice(1)).toEqual([
      { location: 'Sheet1 links', text: 'B2: https://example.org/home\n' },
      { location: 'Sheet1 header', text: 'Confidential\n' },
      { location: 'Sheet1 validation', text: 'B2: Pick\nB2: Wrong\nB2: Ann,Bo\n' },
    ]);
  });

  it('are comments, conversations and drawings', async () => {
    const comment = (at: number, text: string, author = 0) => [
      record(635, u32(author, at, at, 2, 2), Buffer.alloc(16)),
      record(637, u8(1), wide(text), u32(1, 0)),
      record(636),
    ];
    const more = {
      'xl/worksheets/_rels/sheet1.bin.rels': relations({
        rId1: ['comments', '../comments1.bin'],
        rId2: ['threadedComment', '../threadedComments/threadedComment1.xml'],
        rId3: ['drawing', '../drawings/drawing1.xml'],
      }),
      'xl/comments1.bin': Buffer.concat([
        record(628),
        record(632, wide('Ann')),
        ...comment(1, 'old salary'),
        ...comment(2, '[Threaded comment]\n\nnew'),
        ...comment(3, 'of nobody', 7),
        record(629),
      ]),
      'xl/threadedComments/threadedComment1.xml':
        '<ThreadedComments><threadedComment ref="C3" personId="{1}"><text>new</text></threadedComment></ThreadedComments>',
      'xl/persons/person.xml': '<personList><person displayName="Bob Ross" id="{1}"/></personList>',
      'xl/drawings/drawing1.xml': '<xdr:wsDr><a:p><a:r><a:t>boxed</a:t></a:r></a:p></xdr:wsDr>',
    };
    const persons = { rId9: ['person', 'persons/person.xml'] } as const;
    const seen = await reading(sheetOf([rowOf(1, 1)]), { more, relations: persons });
    expect(seen.error).toBeNull();
    expect(textAt(seen, 'Sheet1 comments')).toBe('C2: Ann: old salary\n\nC4: of nobody\nC3: Bob Ross: new\n');
    expect(textAt(seen, 'Sheet1 drawings')).toBe('boxed\n');
  });

  it('are names defined as a text, links to other workbooks and database connections', async () => {
    const name = (called: string, value: Uint8Array, comment: string) =>
      record(39, u32(0), u8(0), u32(0xffffffff), wide(called), value, wide(comment));
    const seen = await reading(sheetOf([rowOf(1, 1)]), {
      names: [
        name('Key', formula('secret'), ''),
        name('Area', Buffer.concat([u32(1), u8(0x25), u32(0)]), 'said'),
      ],
      relations: { rId8: ['externalLink', 'externalLink1.bin'], rId9: ['connections', 'connections.bin'] },
      more: {
        'xl/externalLink1.bin': Buffer.concat([
          record(360),
          record(371, u32(0), wide('far')),
          record(368, u32(1), float(8)),
          record(588),
        ]),
        'xl/connections.bin': Buffer.concat([
          record(429),
          record(201, Buffer.alloc(8), u8(8, 0), u32(1, 1, 1), u8(0), wide('Db')),
          record(203, u32(2), u8(3), wide('Password=x'), wide('select 1')),
          record(430),
        ]),
      },
    });
    expect(seen.error).toBeNull();
    expect(textAt(seen, 'names')).toBe('Key: secret\nArea: said\n');
    expect(textAt(seen, 'external links')).toBe('far\n8\n');
    expect(textAt(seen, 'properties')).toBe('name: Db\nconnection: Password=x\nconnection: select 1\n');
  });

  it('are pivot caches, which are reported as not read if their sheet is missing', async () => {
    const pivot = (sheet: string) =>
      reading(sheetOf([rowOf(1, 1)]), {
        relations: { rId8: ['pivotCacheDefinition', 'pivot.bin'] },
        more: {
          'xl/pivot.bin': Buffer.concat([record(179), record(187, u8(0, 0, 2), wide(sheet)), record(180)]),
        },
      });
    expect((await pivot('Sheet1')).error).toBeNull();
    expect((await pivot('Gone')).error).toBe('unsupported format: pivot cache of a binary workbook');
  });
});

describe('a binary workbook that is damaged or hostile', () => {
  it.each([
    ['row', record(0, u8(1)), 'workbook record'],
    ['row that no sheet has', row(2 ** 24 + 1), 'cell reference'],
    ['column that no sheet has', cell(5, 16_384, float(1)), 'cell reference'],
    ['cell without its column', record(5, u8(1)), 'workbook record'],
    ['number that is cut', cell(5, 1, u8(1, 2)), 'workbook record'],
    ['text that reaches beyond its record', cell(6, 1, u32(9)), 'workbook record'],
    ['text that is longer than memory', cell(6, 1, u32(0xfffffffe)), 'workbook record'],
    ['length of more than a record may have', u8(5, 0xff, 0xff, 0xff, 0x7f), 'workbook record'],
  ])('keeps the cells before a %s', async (_, bad, reason) => {
    expect(await reading(sheetOf([rowOf(1, 7), bad]))).toMatchObject({
      texts: [{ location: 'Sheet1', text: '7\n' }],
      error: `corrupt: ${reason}`,
    });
  });

  it('reports that a text is missing', async () => {
    expect(await reading(sheetOf([rowOf(1, 7), cell(7, 1, u32(0))]))).toMatchObject({
      texts: [{ text: '7\n' }],
      error: 'corrupt: missing shared string',
    });
  });

  it('reports a truncated sheet, within a record or between two', async () => {
    const whole = sheetOf([rowOf(1, 7)]);
    for (const length of [whole.length - 3, whole.length - 1, whole.length - 7])
      expect(await reading(whole.subarray(0, length))).toMatchObject({
        error: 'corrupt: truncated workbook',
      });
  });

  it('reports that a part has the wrong type', async () => {
    expect((await reading(Buffer.from('<worksheet/>'))).error).toBe('corrupt: workbook record');
  });

  it('is not read beyond the limit of cells', async () => {
    const rows = [1, 2, 3].flatMap((number) => [row(number), cell(5, 16_383, float(1))]);
    const bytes = zipped(binaryFiles({ A: sheetOf(rows) }));
    expect((await readBack(readExcel, bytes, { limits: { cells: 2 } })).error).toBe('limit: cells');
  });
});
