import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ExtractionBudget } from '../../budget/extraction-budget.ts';
import type { Grid } from '../../grid.ts';
import { gather, placesOf } from '../items.fixture.ts';
import { readRtf, rtfItems } from './rtf.ts';

async function* chunked(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const memory = (bytes: Uint8Array) => ({
  size: bytes.length,
  read: async (from: number, to: number) => bytes.slice(from, to),
});
const readBytes = (bytes: Uint8Array, size = 64 * 1024) =>
  gather(rtfItems(chunked(bytes, size), new ExtractionBudget()));
const readBody = async (body: string, head = '\\ansi\\ansicpg1252\\deff0') =>
  placesOf(await readBytes(Buffer.from(`{\\rtf1${head} ${body}}`, 'latin1')));
const textOf = async (body: string, head?: string) => (await readBody(body, head))[''];

describe('RTF', () => {
  it.each([
    ['plain \\b text\\b0 .', 'plain text.'],
    ['two\\par lines\\line here', 'two\nlines\nhere'],
    ['\\trowd a\\cell b\\cell\\row c\\cell d\\cell\\row', 'a\tb\t\nc\td\t\n'],
    ['braces \\{ \\} and \\\\', 'braces { } and \\'],
    ['\\ldblquote x\\rdblquote\\emdash\\~y\\_z co\\-op', '“x”—\u00a0y-z coop'],
    ['a line\r\nthat goes\non', 'a linethat goeson'],
    ["caf\\'e9 \\'80 5", 'café € 5'],
    ['not \\unknown12 shown', 'not shown'],
    ['{\\*\\unknown hidden {deeper}}shown', 'shown'],
    ['{\\pict\\wmetafile8 0102030405}shown', 'shown'],
    [
      'see {\\field{\\*\\fldinst HYPERLINK "mailto:a@b.c"}{\\fldrslt here}}',
      'see  HYPERLINK "mailto:a@b.c" here',
    ],
    ['word{\\footnote the note}rest', 'word\nthe note\nrest'],
    ['{\\header top}{\\*\\annotation {\\b remark}}', '\ntop\n\nremark\n'],
    ['{\\shp{\\*\\shpinst{\\sp{\\sn a}{\\sv 1}}{\\shptxt in a box}}{\\shprslt }}', '\nin a box\n'],
    [
      '{\\shp{\\*\\shpinst{\\shptxt box}}{\\shprslt{\\*\\do{\\dptxbxtext box}}}}{\\shprslt old}',
      '\nbox\nold',
    ],
    [
      '{\\shp{\\*\\shpinst{\\shptxt box}}}{\\shp{\\*\\shpinst}{\\shprslt{\\*\\do{\\dptxbxtext other}}}}',
      '\nbox\n\nother\n',
    ],
    [
      '{\\shpgrp{\\*\\shpinst{\\shp{\\*\\shpinst{\\shptxt box}}}{\\shp{\\*\\shpinst}}}{\\shprslt box}}',
      '\nbox\n',
    ],
    ['{\\shp{\\*\\shpinst}{\\shprslt{\\*\\do\\dpx{\\dptxbxtext old box}}}}', '\nold box\n'],
    [
      '{\\shpinst{\\sp{\\sn gtextUNICODE}{\\sv Big letters}}{\\sp{\\sn wzDescription}{\\sv a face}}{\\sp{\\sn pib}{\\sv {\\pict 00}}}}',
      '\nBig letters\n\na face\n',
    ],
    ['{\\*\\formfield{\\fftype0{\\*\\ffname F}{\\*\\ffdeftext Ann}{\\*\\ffl one}}}', ' Ann  one '],
  ])('%j is %j', async (body, text) => {
    expect(await textOf(body)).toBe(text);
  });

  it.each([
    ['\\u8364?5', '€5'],
    ['\\uc0\\u8364 5', '€5'],
    ["\\uc2\\u8364\\'80\\'80 5", '€ 5'],
    ['\\u-10179?\\u-8704?', '😀'],
    ['{\\uc3\\u65 abc}\\u66 xyz', 'AByz'],
    ['\\u8364\\par next', '€\nnext'],
  ])('Unicode with what old programs show: %j is %j', async (body, text) => {
    expect(await textOf(body)).toBe(text);
  });

  it('has a code page, and fonts with others', async () => {
    const fonts = '{\\fonttbl{\\f0\\fcharset204 Arial;}{\\f1\\fcharset128{\\*\\falt x} MS;}{\\f2 Times;}}';
    expect(
      await textOf(`${fonts}\\f0 \\'cf\\'f0{\\f1 \\'93\\'fa\\'96{}{\\'7b}}\\'e9 \\f2 \\'e9\\plain\\'e9`),
    ).toBe('Пр日本й éй');
    expect(await textOf("\\'cf\\'f0", '\\ansi\\ansicpg1251')).toBe('Пр');
    expect(await textOf("\\'8a", '\\mac')).toBe('ä');
    expect(await textOf('raw \xcf\xf0', '\\ansi\\ansicpg1251')).toBe('raw Пр');
  });

  it('has properties', async () => {
    const info =
      '{\\info{\\title A \\b letter}{\\author Ann}{\\*\\company ACME}{\\creatim\\yr2024}{\\nofpages1}}';
    const props = '{\\*\\userprops {\\propname client}\\proptype30{\\staticval 4711}}';
    expect(await readBody(`${info}${props}text`)).toEqual({
      properties: 'title: A letter\nauthor: Ann\ncompany: ACME\npropname: client\nstaticval: 4711\n',
      '': 'text',
    });
  });

  it('passes over data that is no RTF', async () => {
    expect(await textOf('{\\pict\\bin7 }}{{\\\\x}after \\bin3 }}}end')).toBe('after end');
  });

  it('holds other documents', async () => {
    const string = (text: string) =>
      Buffer.concat([Buffer.of(text.length + 1, 0, 0, 0), Buffer.from(`${text}\0`)]);
    const native = Buffer.from('a document');
    const empty = Buffer.alloc(4);
    const object = Buffer.concat([
      Buffer.from('0105000002000000', 'hex'),
      string('Word.Document.8'),
      empty,
      empty,
      Buffer.of(native.length, 0, 0, 0),
      native,
    ]).toString('hex');
    const data = `${object.slice(0, 33)}\r\n${object.slice(33)}`;
    const body = `{\\rtf1 a{\\object{\\*\\objdata ${data}}{\\result shown}}b{\\*\\objdata 01}}`;
    const read = await readBytes(Buffer.from(body));
    expect(read.entries).toEqual([{ name: 'object 1', bytes: native }]);
    expect(placesOf(read)['']).toBe('ashownb');
  });

  it('is the same for any chunking', async () => {
    const body = `{\\rtf1\\ansi{\\fonttbl{\\f0\\fcharset204 A;}}\\f0 ab\\'cf \\u8364?\\par{\\*\\x y}\\bin4 }}}}{\\info{\\title T}}z}`;
    const whole = await readBytes(Buffer.from(body));
    for (let size = 1; size < 20; size++) {
      const read = await readBytes(Buffer.concat([Buffer.from(body)]), size + 5);
      expect(read.error).toBeNull();
      expect(read.texts).toEqual(whole.texts);
    }
  });

  it('may be read from anywhere', async () => {
    const bytes = Buffer.from(`{\\rtf1 ${'text '.repeat(30_000)}}`);
    const read = await gather(readRtf(memory(bytes), new ExtractionBudget(), { ocr: false }));
    expect(read.texts).toEqual([{ location: null, text: 'text '.repeat(30_000) }]);
  });

  it('may be long', async () => {
    const line = "A line of \\b text\\b0  with caf\\'e9\\par\r\n";
    const read = await readBytes(Buffer.from(`{\\rtf1 ${line.repeat(20_000)}}`));
    expect(read.texts[0]?.text === 'A line of text with café\n'.repeat(20_000)).toBe(true);
  });
});

const row = (...cells: readonly string[]) =>
  `\\trowd\\cellx900\\cellx1800 \\pard\\intbl ${cells.map((cell) => `${cell}\\cell `).join('')}\\row\n`;

async function tablesOf(body: string) {
  const bytes = Buffer.from(`{\\rtf1 ${body}}`, 'latin1');
  const found: [string | null, string, Grid | undefined][] = [];
  for await (const item of rtfItems(chunked(bytes, 50), new ExtractionBudget()))
    if (item.is === 'text') found.push([item.location, Buffer.from(item.text).toString(), item.grid]);
  return found;
}

describe('tables of RTF', () => {
  const people =
    row('Name', 'Tax id', 'City') + row('Ann', "caf\\'e9\\par two", '12345') + row('Bo', '', '5\\cell 6');

  it('are grids if they have a head, with the text around them', async () => {
    expect(await tablesOf(`before\\par ${people}\\pard after ${people}`)).toEqual([
      [null, 'before\n', undefined],
      [
        'table 1',
        'Name\tTax id\tCity\nAnn\tcafé two\t12345\nBo\t\t5\t6\n',
        { columns: ['Name', 'Tax id', 'City'], cells: 'sheet', firstRow: 1 },
      ],
      [null, 'after ', undefined],
      ['table 2', expect.stringContaining('Ann\tcafé two'), expect.objectContaining({ firstRow: 1 })],
    ]);
  });

  it('are lines if they have none, to their end', async () => {
    const form = row('12', 'x y') + row('34', 'x z').repeat(9);
    expect(await tablesOf(`${form}${row('Name', 'Tax id', 'City')}${row('Ann', '1', 'Bern')}end`)).toEqual([
      [null, `12\tx y\t\n${'34\tx z\t\n'.repeat(9)}Name\tTax id\tCity\t\nAnn\t1\tBern\t\nend`, undefined],
    ]);
  });

  it('may mark its header row', async () => {
    const head = row('Name', 'City').replace('trowd', 'trowd\\trhdr');
    expect(await tablesOf(head + row('Ann', 'Bern'))).toMatchObject([
      ['table 1', 'Name\tCity\nAnn\tBern\n', {}],
    ]);
  });

  it('keep notes, boxes and other tables within a cell as its text', async () => {
    const note = '{\\footnote see \\trowd a\\cell b\\cell\\row}';
    const nested = '\\itap2 n1\\nestcell n2\\nestcell{\\*\\nesttableprops\\trowd\\nestrow}';
    const [, table] = [
      0,
      ...(await tablesOf(row('Name', 'Tax id', 'City') + row(`Ann${note}`, nested, 'x 5'))),
    ];
    expect(table?.[1]).toBe('Name\tTax id\tCity\nAnn see a b\tn1 n2\tx 5\n');
  });

  it('are read when they break off', async () => {
    const read = await readBytes(Buffer.from(`{\\rtf1 ${people}\\trowd last`));
    expect(read.error).toBe('corrupt: truncated RTF document');
    expect(placesOf(read)['table 1']).toMatch(/5\t6\nlast\n$/);
    const early = await readBytes(Buffer.from('{\\rtf1 \\trowd alone\\cell'));
    expect(placesOf(early)['']).toContain('alone');
  });
});

describe('hostile RTF', () => {
  it.each([
    ['nothing', '', 'corrupt: truncated RTF document'],
    ['another beginning', 'Dear Ann', 'corrupt: RTF header'],
    ['an open group', '{\\rtf1 text', 'corrupt: truncated RTF document'],
    ['missing data', '{\\rtf1 text\\bin99 }', 'corrupt: truncated RTF document'],
    ['groups too deep', `{\\rtf1 text${'{'.repeat(5000)}`, 'limit: nesting'],
  ])('stops for %s', async (_, body, error) => {
    const read = await readBytes(Buffer.from(body));
    expect(read.error).toBe(error);
    if (body.includes('text')) expect(placesOf(read)['']).toBe('text');
  });

  it("can't hide text after its end", async () => {
    const read = await readBytes(Buffer.from('{\\rtf1 shown}} behind\0\0'));
    expect(placesOf(read)['']).toBe('shown behind');
  });

  it('never does worse than stop', { timeout: 60_000 }, async () => {
    const token = fc.oneof(
      fc.constantFrom(
        '{',
        '}',
        '\\par',
        "\\'e9",
        "\\'zz",
        '\\u-1?',
        '\\uc9',
        '\\bin3',
        '\\bin99999999999',
        '\\*',
      ),
      fc.constantFrom(
        '\\f1',
        '{\\fonttbl',
        '\\fcharset128',
        '{\\info',
        '{\\title',
        '{\\pict',
        '{\\*\\objdata',
        '\\cpg0',
      ),
      fc.constantFrom(
        '\\trowd',
        '\\intbl ',
        '\\cell ',
        '\\row ',
        '\\trhdr',
        row('Name', 'City', 'Id'),
        '{\\footnote',
        '{\\sp{\\sn gtextUNICODE}{\\sv',
        '{\\shprslt',
      ),
      fc.constantFrom(
        '0105000002000000',
        '\\ansicpg65001',
        '\\ansicpg1200',
        '\\',
        '\\\n',
        ' ',
        '\\deff1',
        '\\plain',
      ),
      fc.string({ unit: 'binary', maxLength: 20 }),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(token, { maxLength: 60 }),
        fc.integer({ min: 10, max: 99 }),
        async (tokens, size) => {
          const bytes = Buffer.from(`{\\rtf1${tokens.join('')}}`);
          const { length } = await readBytes(bytes, size);
          expect(length).toBeLessThanOrEqual(4 * bytes.length);
        },
      ),
      { numRuns: 1500 },
    );
  });
});
