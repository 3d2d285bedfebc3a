import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ExtractionBudget } from '../../../budget/extraction-budget.ts';
import { DEFAULT_LIMITS } from '../../../budget/limits.ts';
import { cellText } from '../../../grid.ts';
import { gather, placesOf } from '../../items.fixture.ts';
import { memory, writeCompoundFile } from '../compound-file/compound-file.fixture.ts';
import { openCompoundFile } from '../compound-file/compound-file.ts';
import {
  bof,
  eof,
  f64,
  label,
  labelSst,
  number,
  record,
  rk,
  u16,
  u32,
  type WorkbookFixture,
  workbookStream,
  xlString,
} from './excel-97.fixture.ts';
import { readExcel97 } from './excel-97.ts';

async function readStream(stream: Uint8Array, name = 'Workbook', budget = new ExtractionBudget()) {
  const { root } = await openCompoundFile(memory(writeCompoundFile({ [name]: stream })));
  return gather(readExcel97(root, budget));
}

const readWorkbook = (workbook: WorkbookFixture) => readStream(workbookStream(workbook));
const readRecords = async (...records: Buffer[]) =>
  placesOf(await readWorkbook({ sheets: [{ name: 'S', records }] })).S;

const formula = (row: number, column: number, value: Uint8Array) =>
  record(0x06, u16(row, column, 0), value, Buffer.alloc(8));
const TEXT_RESULT = Buffer.from([0, 0, 0, 0, 0, 0, 0xff, 0xff]);

/** Drawn text; objects that it may be the text of; a comment's cell; what is written on a chart. */
const box = (text: string) => [
  record(0x1b6, u16(0x212, 0, 0, 0, 0, text.length, 16), u32(0)),
  record(0x3c, [0], Buffer.from(text)),
  record(0x3c, Buffer.alloc(16)),
];
const drawn = (id: number, kind = 0x19) => record(0x5d, u16(0x15, 0x12, kind, id), Buffer.alloc(14));
const note = (row: number, column: number, id: number, author: string) =>
  record(0x1c, u16(row, column, 0, id), xlString(author), [0]);
const title = (text: string) => record(0x100d, u16(0), [text.length, 1], Buffer.from(text, 'utf16le'));

describe('workbooks of Excel 97', () => {
  it('have sheets with heads', async () => {
    const read = await readWorkbook({
      strings: ['Name', 'Card', 'Ann', 'Bob Jürgen'],
      sheets: [
        {
          name: 'Customers',
          records: [labelSst(1, 0, 0), labelSst(1, 1, 1), labelSst(2, 0, 2), number(2, 1, 4111111111111111)],
        },
        { name: 'Überblick', records: [labelSst(0, 2, 3)] },
        { name: 'Diagram', kind: 2, records: [label(0, 0, 'of a chart')] },
        { name: 'empty', records: [] },
      ],
    });
    expect(read.error).toBeNull();
    expect(read.texts).toEqual([
      {
        location: 'Customers',
        text: 'Name\tCard\nAnn\t4111111111111111\n',
        grid: { columns: ['Name', 'Card'], cells: 'sheet', firstRow: 2 },
      },
      {
        location: 'Überblick',
        text: '\t\tBob Jürgen\n',
        grid: { columns: null, cells: 'sheet', firstRow: 1 },
      },
    ]);
  });

  it('have values of many kinds', async () => {
    const text = await readRecords(
      label(0, 0, 'label'),
      record(0xd6, u16(0, 1, 0), xlString('rich Ω'), u16(1), u32(0)),
      rk(0, 2, (1234 << 2) | 2),
      rk(0, 3, ((1234 << 2) | 3) >>> 0),
      rk(0, 4, ((-5 << 2) | 2) >>> 0),
      rk(0, 5, f64(1.5).readUInt32LE(4)),
      record(0xbd, u16(0, 6), u16(0), u32((7 << 2) | 2), u16(0), u32((8 << 2) | 2), u16(7)),
      record(0x205, u16(0, 8, 0), [1, 0]),
      record(0x205, u16(0, 9, 0), [42, 1]),
      formula(0, 10, f64(0.25)),
      formula(0, 11, TEXT_RESULT),
      record(0x4bc, Buffer.alloc(10)), // a shared formula may precede the result
      record(0x207, xlString('result Ω')),
      formula(0, 12, Buffer.from([1, 0, 1, 0, 0, 0, 0xff, 0xff])),
      formula(0, 13, Buffer.from([3, 0, 0, 0, 0, 0, 0xff, 0xff])),
      record(0x201, u16(0, 14, 0)),
      label(0, 15, 'last'),
    );
    const values = [
      'label',
      'rich Ω',
      '1234',
      '12.34',
      '-5',
      '1.5',
      '7',
      '8',
      'TRUE',
      '',
      '0.25',
      'result Ω',
      'TRUE',
    ];
    expect(text).toBe(`${[...values, '', '', 'last'].join('\t')}\n`);
  });

  it('have dates, counted from 1900 or 1904', async () => {
    const sheets = [{ name: 'S', records: [number(0, 0, 45_323, 1), rk(0, 1, (45_323 << 2) | 2, 2)] }];
    const formats = ['dd.mm.yyyy', '000-00-0000'];
    expect(placesOf(await readWorkbook({ sheets, formats })).S).toBe('2024-02-01\t000-04-5323\n');
    const globals = [record(0x22, u16(1))];
    expect(placesOf(await readWorkbook({ sheets, formats, globals })).S).toBe('2028-02-02\t000-04-5323\n');
  });

  it('share strings that are cut anywhere', { timeout: 60_000 }, async () => {
    const strings = fc.array(
      fc.record({
        text: fc.string({ unit: 'binary', maxLength: 60 }),
        runs: fc.nat(3),
        phonetic: fc.nat(20),
      }),
      { minLength: 1, maxLength: 8 },
    );
    await fc.assert(
      fc.asyncProperty(strings, fc.integer({ min: 20, max: 90 }), async (shared, recordBytes) => {
        const records = shared.flatMap((_, i) => [labelSst(i, 0, i), label(i, 1, '.')]);
        const read = await readWorkbook({ strings: shared, recordBytes, sheets: [{ name: 'S', records }] });
        expect(read.error).toBeNull();
        expect(read.texts[0]?.text).toBe(shared.map(({ text }) => `${cellText(text)}\t.\n`).join(''));
      }),
    );
  });

  it('change the width of a split string as its continuation specifies', async () => {
    const globals = [
      record(0xfc, u32(1, 1), u16(6), [0], Buffer.from('abc')),
      record(0x3c, [1], Buffer.from('ΩΨ', 'utf16le')),
      record(0x3c, [0], Buffer.from('z')),
    ];
    const sheets = [{ name: 'S', records: [labelSst(0, 0, 0)] }];
    const stream = workbookStream({ sheets, globals });
    expect(placesOf(await readStream(stream)).S).toBe('abcΩΨz\n');
  });

  it('continue the text that a formula results in', async () => {
    const text = await readRecords(
      formula(0, 0, TEXT_RESULT),
      record(0x207, u16(6), [0], Buffer.from('abc')),
      record(0x3c, [0], Buffer.from('def')),
    );
    expect(text).toBe('abcdef\n');
  });

  it('have text boxes, and heads of pages', async () => {
    const records = [
      record(0x14, xlString('&Lann@example.org&C&"Arial,Bold"&12Secret')),
      record(0x15, xlString('&RPage &P')),
      label(0, 0, 'cell'),
      ...box('Ann:\rcall her'),
      ...box(''),
    ];
    expect(placesOf(await readWorkbook({ sheets: [{ name: 'S', records }] }))).toEqual({
      S: 'cell\n',
      'S notes': 'ann@example.org\nSecret\nPage\nAnn:\ncall her\n',
    });
  });

  it('have comments with their cells and authors', async () => {
    const records = [
      ...[drawn(1), ...box('call her'), drawn(2), ...box('Bob:\rgone'), drawn(3), ...box('of no cell')],
      ...[drawn(4, 6), ...box('a box'), drawn(1), ...box('once more')],
      ...[note(1, 2, 1, 'Ann Ω'), note(0, 27, 2, 'Bob'), note(4, 0, 9, 'Eve'), note(5, 0, 10, '')],
    ];
    expect(placesOf(await readWorkbook({ sheets: [{ name: 'S', records }] }))).toEqual({
      'S notes': 'a box\nonce more\nC2: Ann Ω: call her\nAB1: Bob:\ngone\nA5: Eve\nof no cell\n',
    });
  });

  it('have links to addresses', async () => {
    const address = Buffer.from('mailto:ann@example.org\0', 'utf16le');
    const name = Buffer.from('Ann\0', 'utf16le');
    const kind = Buffer.from('e0c9ea79f9bace118c8200aa004ba90b', 'hex');
    const head = [u16(0, 0, 0, 0), Buffer.alloc(16), u32(2)];
    const link = record(0x1b8, ...head, u32(0x13, 4), name, kind, u32(address.length), address);
    const elsewhere = record(0x1b8, ...head, u32(0x03), Buffer.alloc(40));
    const read = await readWorkbook({ sheets: [{ name: 'S', records: [link, elsewhere] }] });
    expect(placesOf(read)).toEqual({ 'S notes': 'mailto:ann@example.org\n' });
  });

  it('may have been written column by column', { timeout: 60_000 }, async () => {
    const rows = Array.from({ length: 10_000 }, (_, i) => i);
    const records = [0, 1, 2].flatMap((column) => rows.map((row) => label(row, column, `${column}/${row}`)));
    const text = await readRecords(...records);
    expect(text).toBe(rows.map((row) => `0/${row}\t1/${row}\t2/${row}\n`).join(''));
  });

  it('have charts, on sheets of their own too: what is written there, but not their copies of cells', async () => {
    const chart = [record(0x14, xlString('&LAnn')), title('Salaries Ω'), label(0, 0, 'cached'), title('Pay')];
    const cut = record(0x100d, u16(0), [99, 0], Buffer.from('cut'));
    const inner = [bof(0x20), ...chart, cut, eof];
    const read = await readWorkbook({
      sheets: [
        { name: 'S', records: [label(1, 0, 'below'), ...inner, label(0, 1, 'above')] },
        { name: 'Diagram', kind: 2, records: chart },
      ],
    });
    expect(read.error).toBeNull();
    expect(placesOf(read)).toEqual({
      S: '\tabove\nbelow\n',
      'S notes': 'Ann\nSalaries Ω\nPay\ncut\n',
      'Diagram notes': 'Ann\nSalaries Ω\nPay\n',
    });
  });

  it('are not confused by the charts within a sheet', async () => {
    const chart = [bof(0x20), label(0, 0, 'cached'), eof];
    expect(await readRecords(...chart, label(1, 0, 'cell'))).toBe('cell\n');
  });

  it('may be long', async () => {
    const records = Array.from({ length: 40_000 }, (_, i) => number(i, i % 7, i * 1e9));
    const read = await readWorkbook({ sheets: [{ name: 'S', records }] });
    expect(read.texts[0]?.text.split('\n').length).toBe(40_001);
    expect(read.texts[0]?.text).toContain('\t39999000000000\n');
  });
});

describe('hostile workbooks of Excel 97', () => {
  const sheets = [{ name: 'S', records: [label(0, 0, 'cell')] }];

  it.each([
    ['a password', { sheets, globals: [record(0x2f, u16(1, 1, 1))] }, 'encrypted'],
    ['a chart', { sheets, version: 0x680 }, 'unsupported format: Microsoft Graph chart'],
  ])('are refused for %s', async (_, workbook, error) => {
    expect(await readWorkbook(workbook)).toMatchObject({ error, texts: [] });
  });

  it.each([
    ['an old version without an end', 'Book', bof(5, 0x500), 'corrupt: truncated workbook'],
    [
      'an older beginning',
      'Workbook',
      record(0x409, u16(4, 5)),
      'unsupported format: workbook older than Excel 5',
    ],
    ['no beginning', 'Workbook', record(0x42, u16(1200)), 'corrupt: workbook header'],
    ['no end', 'Workbook', bof(5), 'corrupt: truncated workbook'],
    ['no stream', 'Other', bof(5), 'corrupt: workbook stream'],
  ])('are refused for %s too', async (_, name, stream, error) => {
    expect((await readStream(stream, name)).error).toBe(error);
  });

  it('lose no sheet for the damage of another', async () => {
    const short = {
      name: 'short',
      records: [label(0, 0, 'before'), record(0x203, u16(1, 0, 0)), label(2, 0, 'after')],
    };
    const missing = { name: 'missing', records: [labelSst(0, 0, 7), label(1, 0, 'here')] };
    const read = await readWorkbook({ sheets: [short, missing, ...sheets] });
    expect(placesOf(read)).toEqual({ short: 'before\n', missing: 'here\n', S: 'cell\n' });
    expect(read.error).toBe('corrupt: workbook record');
  });

  it('yield what precedes their end', async () => {
    const stream = workbookStream({
      sheets: [{ name: 'S', records: [label(0, 0, 'one'), label(1, 0, 'two')] }],
    });
    const read = await readStream(stream.subarray(0, stream.length - 6));
    expect(read).toMatchObject({ error: 'corrupt: truncated workbook', texts: [{ text: 'one\n' }] });
  });

  it('cannot hide a sheet behind another of the same name, nor show one twice', async () => {
    const twice = await readWorkbook({ sheets: [...sheets, ...sheets] });
    expect(Object.keys(placesOf(twice))).toEqual(['S', 'S (2)']);
    const stream = workbookStream({ sheets: [...sheets, ...sheets] });
    const first = stream.indexOf(Buffer.from([0x85, 0]));
    stream.copy(stream, first + 4 + stream.readUInt16LE(first + 2) + 4, first + 4, first + 8);
    const same = await readStream(stream);
    expect(same.texts.length).toBe(1);
    expect(same.error).toBe('corrupt: truncated workbook');
  });

  it('cannot become endless text by one long string', async () => {
    const strings = ['x'.repeat(60_000)];
    const records = Array.from({ length: 1000 }, (_, i) => labelSst(i, 0, 0));
    const stream = workbookStream({ strings, sheets: [{ name: 'S', records }] });
    const budget = new ExtractionBudget({ ...DEFAULT_LIMITS, ratio: 100 });
    const read = await readStream(stream, 'Workbook', budget);
    expect(read.length).toBeGreaterThan(10 * 2 ** 20 - 120_000);
    expect(read.error).toBe('limit: compression ratio');
  });

  it('fail cleanly for any changed bytes', { timeout: 60_000 }, async () => {
    const good = workbookStream({
      strings: ['some', 'shared Ω strings', { text: 'rich', runs: 2, phonetic: 7 }],
      recordBytes: 40,
      formats: ['yyyy-mm-dd', '00000'],
      sheets: [
        {
          name: 'A',
          records: [labelSst(0, 0, 0), labelSst(0, 1, 1), number(1, 0, 45_000.5, 1), label(2, 0, 'x')],
        },
        { name: 'B', records: [formula(0, 0, TEXT_RESULT), record(0x207, xlString('text')), rk(3, 3, 4, 2)] },
        {
          name: 'C',
          records: [drawn(1), ...box('said'), note(1, 1, 1, 'Ann'), bof(0x20), title('pay'), eof],
        },
        { name: 'D', kind: 2, records: [record(0x14, xlString('&L&12Ann')), title('pay')] },
      ],
    });
    const change = fc.array(fc.tuple(fc.nat(good.length - 1), fc.nat(255)), { maxLength: 10 });
    await fc.assert(
      fc.asyncProperty(change, fc.nat(4 * good.length), async (changes, end) => {
        const bad = Buffer.from(good.subarray(0, end));
        for (const [at, byte] of changes) if (at < bad.length) bad[at] = byte;
        await readStream(bad);
      }),
      { numRuns: 3000 },
    );
  });
});
