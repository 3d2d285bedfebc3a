import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DocumentReader } from '../../document-item.ts';
import { readEpub } from './epub.ts';
import {
  binaryFiles,
  cell,
  float,
  formula,
  record,
  rowOf,
  sheetOf,
  u8,
  u16,
  u32,
  wide,
} from './excel/binary/binary.fixture.ts';
import { excelFiles, rowXml, sheetXml } from './excel/excel.fixture.ts';
import { readExcel } from './excel/excel.ts';
import { type Files, readBack, relations, type Seen, zipped } from './office.fixture.ts';
import {
  numberCell,
  openFiles,
  sheetTable,
  tableRow,
  textCell,
} from './open-document/open-document.fixture.ts';
import { readOpenDocument } from './open-document/open-document.ts';
import { powerPointFiles, slide, textShape } from './powerpoint.fixture.ts';
import { readPowerPoint } from './powerpoint.ts';
import { paragraph, wordFiles, wordPart } from './word.fixture.ts';
import { readWord } from './word.ts';

const strings: string[] = [];
const sheet = sheetXml(
  rowXml(1, ['Name', 'Born', 'Id'], strings) +
    rowXml(2, ['Ann', '<c s="1"><v>29358</v></c>', 4.1e15], strings) +
    rowXml(9, [undefined, '<c t="inlineStr"><is><r><t>x</t></r></is></c>', 3], strings),
  '<hyperlinks><hyperlink ref="A1" r:id="rId1"/></hyperlinks>',
);

const binarySheet = sheetOf(
  [
    rowOf(1, 'Name', 'Born', 'Id'),
    rowOf(2, 'Ann', 29358, 4.1e15),
    cell(7, 3, u32(1)),
    cell(9, 4, float(29358.5), 2),
    cell(2, 5, u32(3)),
    record(16, u32(0), float(2)),
    cell(62, 9, Buffer.concat([u8(1), wide('rich')])),
  ],
  [
    record(494, u32(0, 0, 0, 0), ...['rId1', '', '', ''].map(wide)),
    record(479, u16(0), ...['&C', '', '', '', '', ''].map(wide)),
    record(64, u32(0x83, 1, 1, 1, 1, 1), ...['', 'Wrong', '', ''].map(wide), formula('a\0b'), u32(0, 0)),
  ],
);

const GOOD: readonly (readonly [string, DocumentReader, Files])[] = [
  [
    'Word',
    readWord,
    wordFiles(`${paragraph('Ann')}<w:tbl><w:tr><w:tc>${paragraph('x')}</w:tc></w:tr></w:tbl>`, {
      'word/_rels/document.xml.rels': relations({
        rId1: ['header', 'header1.xml'],
        rId2: ['hyperlink', 'mailto:a@b.org'],
        rId3: ['comments', 'comments.xml'],
      }),
      'word/header1.xml': wordPart('hdr', paragraph('head')),
      'word/comments.xml': wordPart('comments', `<w:comment w:author="B">${paragraph('c')}</w:comment>`),
      'word/embeddings/a.bin': 'ole',
    }),
  ],
  [
    'PowerPoint',
    readPowerPoint,
    powerPointFiles([textShape('One'), textShape('Two', 'three')], {
      'ppt/slides/_rels/slide1.xml.rels': relations({ rId1: ['notesSlide', '../notesSlides/n.xml'] }),
      'ppt/notesSlides/n.xml': slide(textShape('note'), 'notes'),
    }),
  ],
  [
    'Excel',
    readExcel,
    excelFiles({ A: sheet, B: sheet }, strings, {
      'xl/worksheets/_rels/sheet1.xml.rels': relations({
        rId1: ['hyperlink', 'mailto:a@b.org'],
        rId2: ['comments', '../comments1.xml'],
      }),
      'xl/comments1.xml':
        '<comments><comment ref="A1"><text><t>some comment of length</t></text></comment></comments>',
    }),
  ],
  [
    'Excel of records',
    readExcel,
    binaryFiles(
      { A: binarySheet, B: binarySheet },
      {
        strings: ['Ann', 'Bo'],
        names: [record(39, u32(0), u8(0), u32(0), wide('Key'), formula('secret'), wide('said'))],
        relations: { rId8: ['externalLink', 'link.bin'], rId9: ['connections', 'connections.bin'] },
        more: {
          'xl/worksheets/_rels/sheet1.bin.rels': relations({
            rId1: ['hyperlink', 'mailto:a@b.org'],
            rId2: ['comments', '../comments1.bin'],
          }),
          'xl/comments1.bin': Buffer.concat([
            record(628),
            record(635, u32(0, 1, 1, 2, 2), Buffer.alloc(16)),
            record(637, u8(1), wide('some comment of length'), u32(1, 0)),
            record(636),
            record(629),
          ]),
          'xl/link.bin': Buffer.concat([record(360), record(371, u32(0), wide('far')), record(588)]),
          'xl/connections.bin': Buffer.concat([record(429), record(203, u32(2), wide('Db')), record(430)]),
        },
      },
    ),
  ],
  [
    'OpenDocument sheets',
    readOpenDocument,
    openFiles(
      'spreadsheet',
      sheetTable(
        'S',
        tableRow(textCell('Name') + numberCell('12345', '12345')) +
          tableRow(
            `${textCell('x', 'table:number-columns-repeated="3"')}<table:covered-table-cell/>`,
            'table:number-rows-repeated="2"',
          ) +
          tableRow(
            '<table:table-cell><office:annotation><text:p>c</text:p></office:annotation></table:table-cell>',
          ),
      ),
    ),
  ],
  [
    'OpenDocument pages',
    readOpenDocument,
    openFiles(
      'presentation',
      '<draw:page><text:p>a<text:s text:c="9"/></text:p><presentation:notes><text:p>n</text:p></presentation:notes></draw:page>',
    ),
  ],
  [
    'books',
    readEpub,
    {
      mimetype: 'application/epub+zip',
      'META-INF/container.xml': '<container><rootfile full-path="a.opf"/></container>',
      'a.opf':
        '<package><metadata><title>T</title></metadata><manifest><item id="c" href="c.html" media-type="text/html"/></manifest><spine><itemref idref="c"/></spine></package>',
      'c.html': '<html><body><p>Some &amp; text<table><tr><td>x</td></tr></table></body></html>',
    },
  ],
];

const HOSTILE = [
  ...[
    '<',
    '>',
    '"',
    '&',
    '</',
    '/>',
    '<!--',
    '<![CDATA[',
    '<!DOCTYPE x [',
    ']]>',
    '\0',
    '-1',
    '0',
    '99999999999',
    'NaN',
    '1e999',
  ],
  ...[
    '<row r="1048576">',
    '<c r="XFD1"><v>1</v>',
    '<c t="s"><v>',
    '<si/>',
    '</row>',
    '</table:table>',
    '<table:table>',
    '<table:table-row>',
  ],
  ...[
    'table:number-rows-repeated="99999999"',
    'table:number-columns-repeated="16384"',
    '<w:tc>',
    '</w:tc>',
    '<a:hlinkClick r:id="rId1"/>',
  ],
  ...[
    '<mc:AlternateContent>',
    '<mc:Fallback>',
    '<office:annotation>',
    '<draw:page>',
    '<text:note-body>',
    '&#x110000;',
    '&nbsp;',
    '\ufeff',
  ],
];

/** One change to one part, or to the bytes of the whole. */
const change = fc.record({
  at: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  length: fc.nat(40),
  insert: fc.constantFrom('', ...HOSTILE),
  repeat: fc.constantFrom(1, 1, 2, 3000),
});

function changed(
  text: Buffer,
  { at, length, insert, repeat }: { at: number; length: number; insert: string; repeat: number },
) {
  const from = Math.floor(at * text.length);
  const cut = insert === '' ? text.subarray(from, from + length).toString('latin1') : insert;
  return Buffer.concat([
    text.subarray(0, from),
    Buffer.from(cut.repeat(repeat), 'latin1'),
    text.subarray(from + length),
  ]);
}

/** More find nothing new; many more were tried when the readers were written. */
const RUNS = 200;
const LIMITS = { ratioFloor: 1_000_000, ratio: 100 };

function expectBounded({ texts, error }: Seen): void {
  const length = texts.reduce((sum, { text }) => sum + text.length, 0);
  expect(length).toBeLessThan(4_000_000);
  expect(error === null || error.length < 60).toBe(true);
}

describe.each(GOOD)('changed files of the kind %s', (_, reader, files) => {
  it('are read without an error if nothing is changed', async () => {
    const seen = await readBack(reader, zipped(files));
    expect(seen.error).toBeNull();
    expect(seen.texts.length).toBeGreaterThan(0);
  });

  it('end with text or an error if their parts are changed', async () => {
    const names = Object.keys(files);
    const property = fc.asyncProperty(
      fc.constantFrom(...names),
      fc.array(change, { minLength: 1, maxLength: 3 }),
      async (name, changes) => {
        const part = changes.reduce(changed, Buffer.from(files[name] as string));
        expectBounded(
          await readBack(reader, zipped({ ...files, [name]: part }), { limits: LIMITS, ocr: true }),
        );
      },
    );
    await fc.assert(property, { numRuns: RUNS });
  }, 60_000);

  it('end with text or an error if their bytes are changed', async () => {
    const good = zipped(files);
    const property = fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 3 }), async (changes) => {
      expectBounded(await readBack(reader, changes.reduce(changed, good), { limits: LIMITS }));
    });
    await fc.assert(property, { numRuns: RUNS });
  }, 60_000);

  it('end with text or an error if they are truncated', async () => {
    const good = zipped(files);
    for (let length = 0; length < good.length; length += 97)
      expectBounded(await readBack(reader, good.subarray(0, length), { limits: LIMITS }));
  }, 60_000);
});
