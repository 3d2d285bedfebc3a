import { deflateRawSync, deflateSync } from 'node:zlib';
import { block, compressedBlock, header, long, record } from '../documents/data/avro/avro.fixture.ts';
import { page, parquetFile, plainTexts } from '../documents/data/parquet/parquet.fixture.ts';
import { sqliteFile } from '../documents/data/sqlite/sqlite.fixture.ts';
import { writeCompoundFile } from '../documents/legacy/compound-file/compound-file.fixture.ts';
import { labelSst, workbookStream } from '../documents/legacy/excel/excel-97.fixture.ts';
import { wordStreams } from '../documents/legacy/word/word-97.fixture.ts';
import { excel, sheetXml } from '../documents/office/excel/excel.fixture.ts';
import { zipped } from '../documents/office/office.fixture.ts';
import {
  openDocument,
  sheetTable,
  tableRow,
  textCell,
} from '../documents/office/open-document/open-document.fixture.ts';
import { body, paragraph, word } from '../documents/office/word.fixture.ts';
import { lines, PdfFixture } from '../documents/pdf/pdf.fixture.ts';
import { pngChunk } from '../documents/pictures/picture.fixture.ts';
import { type Bomb, bomb } from './bomb.fixture.ts';

const RATIO = 'limit: compression ratio';
const MILLION = 1_000_000;

/** A row of as many cells as there may be, all of them the one long text. */
const widestRow = (text: string) =>
  excel({ S: sheetXml(`<row r="1">${'<c t="s"><v>0</v></c>'.repeat(16_384)}</row>`) }, [text]);

/** The same in a workbook of old. */
const oldRows = (text: string) => {
  const records = Array.from({ length: 40 * 256 }, (_, i) => labelSst(i >> 8, i & 255, 0));
  return writeCompoundFile({
    Workbook: workbookStream({ sheets: [{ name: 'S', records }], strings: [text] }),
  });
};

const farCells = () =>
  excel({
    S: sheetXml(
      Array.from(
        { length: 3000 },
        (_, i) => `<row r="${i * 300 + 1}"><c r="XFD${i * 300 + 1}"><v>1</v></c></row>`,
      ).join(''),
    ),
  });

const laughs = (from: number, to: number): string =>
  from > to ? '' : `<!ENTITY l${from} "${`&l${from - 1};`.repeat(10)}">${laughs(from + 1, to)}`;
const laughing = `<!DOCTYPE x [<!ENTITY l0 "ha">${laughs(1, 12)}]>`;

const pdf = (build: (pdf: PdfFixture) => Buffer) => () => build(new PdfFixture());

function pageLoop(pdf: PdfFixture): Buffer {
  const pages = pdf.reserve();
  pdf.set(pages, `<< /Type /Pages /Kids [${pages} 0 R ${pages} 0 R] /Count 1000000 >>`);
  return pdf.build(pdf.add(`<< /Type /Catalog /Pages ${pages} 0 R >>`));
}

/** Blanks, as a page may have them. */
function longStream(pdf: PdfFixture): Buffer {
  const blanks = pdf.raw('/Filter /FlateDecode', deflateSync(Buffer.alloc(300 * MILLION)));
  return pdf.build(pdf.pages([{ content: lines('one'), entries: `/Contents ${blanks} 0 R` }]));
}

/** A drawing of ten drawings, of ten drawings each. */
function laughingForms(pdf: PdfFixture): Buffer {
  const font = pdf.add('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>');
  let form = pdf.stream(`/Subtype /Form /Resources << /Font << /F1 ${font} 0 R >> >>`, lines('ha'));
  for (let i = 0; i < 8; i++)
    form = pdf.stream(`/Subtype /Form /Resources << /XObject << /X ${form} 0 R >> >>`, '/X Do '.repeat(10));
  return pdf.build(pdf.pages([{ content: '/X Do', resources: `/XObject << /X ${form} 0 R >>` }]));
}

const PAGE = 1024;

/** Its interior pages point back to the root. */
function sqliteLoop(): Buffer {
  const file = sqliteFile((database) => {
    database.exec(`PRAGMA page_size = ${PAGE}; CREATE TABLE t (a TEXT)`);
    const insert = database.prepare('INSERT INTO t VALUES (?)');
    for (let i = 0; i < 200; i++) insert.run(`text ${i} `.repeat(9));
  });
  file.writeUInt32BE(2, PAGE + 8);
  return file;
}

/** Every sector is followed by the first one. */
function sectorLoop(): Buffer {
  const file = writeCompoundFile(wordStreams({ main: `${'many words '.repeat(2000)}\r` }));
  const fat = (file.readUInt32LE(76) + 1) * 512;
  for (let at = fat; at < fat + 512; at += 4) if (file.readUInt32LE(at) < 128) file.writeUInt32LE(0, at);
  return file;
}

/** Its rows are a few bytes, with a large row count. */
const hugePicture = (side: number) => {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(side, 0);
  head.writeUInt32BE(side, 4);
  head[8] = 8;
  const rows = pngChunk('IDAT', deflateSync(Buffer.alloc(MILLION)));
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    pngChunk('IHDR', head),
    rows,
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
};

export const documentBombs: readonly Bomb[] = [
  bomb('a shared text in every cell', 'a.xlsx', () => widestRow('long '.repeat(20_000)), RATIO),
  bomb('a shared text in every old cell', 'a.xls', () => oldRows('old '.repeat(15_000)), RATIO),
  bomb('cells far from each other', 'a.xlsx', farCells, null),
  bomb(
    'rows and cells again and again',
    'a.ods',
    () =>
      openDocument(
        'spreadsheet',
        sheetTable(
          'S',
          tableRow(
            textCell('again', 'table:number-columns-repeated="16384"'),
            'table:number-rows-repeated="1048576"',
          ),
        ),
      ),
    RATIO,
  ),
  bomb(
    'entities of entities',
    'a.docx',
    () => word('', { 'word/document.xml': `${laughing}${body(paragraph('&l12;'))}` }),
    null,
  ),
  bomb('a million tags in each other', 'a.docx', () => word('<w:sdt>'.repeat(MILLION)), 'limit: nesting'),
  bomb(
    'a page of a million tags in each other',
    'a.epub',
    () =>
      zipped({
        mimetype: 'application/epub+zip',
        'META-INF/container.xml': '<container><rootfile full-path="a.opf"/></container>',
        'a.opf':
          '<package><manifest><item id="c" href="c.html" media-type="text/html"/></manifest><spine><itemref idref="c"/></spine></package>',
        'c.html': `<html><body>${'<div><table>'.repeat(MILLION / 2)}`,
      }),
    null,
  ),
  bomb('pages in a circle', 'a.pdf', pdf(pageLoop), 'corrupt: PDF page'),
  bomb('a stream of 300 MB', 'a.pdf', pdf(longStream), 'limit: decompressed size'),
  bomb('drawings of drawings', 'a.pdf', pdf(laughingForms), 'limit: text of a page'),
  bomb(
    'a billion billion rows',
    'a.parquet',
    () =>
      parquetFile(
        [
          {
            values: 2,
            pages: page({ values: 2, body: plainTexts('ada', 'bob') }),
            metadata: { 5: 10n ** 18n },
          },
        ],
        2 ** 52,
        { 3: 10n ** 18n },
      ),
    'corrupt: truncated Parquet column',
  ),
  bomb(
    'records of nothing',
    'a.avro',
    () => Buffer.concat([header(record({ a: 'null' })), block([], { count: 2 ** 40 })]),
    'corrupt: Avro data',
  ),
  bomb(
    'a block of one letter',
    'a.avro',
    () =>
      Buffer.concat([
        header(record({ a: 'bytes' }), { 'avro.codec': 'deflate' }),
        compressedBlock(
          deflateRawSync(Buffer.concat([long(30 * MILLION), Buffer.alloc(30 * MILLION, 'a')])),
          {},
        ),
      ]),
    RATIO,
  ),
  bomb('pages of a tree in a circle', 'a.sqlite', sqliteLoop, 'corrupt: SQLite page loop'),
  bomb('sectors in a circle', 'a.doc', sectorLoop, 'corrupt: truncated Word text'),
  bomb(
    'a million groups',
    'a.rtf',
    () => Buffer.from(`{\\rtf1 ${'{'.repeat(MILLION)}deep`),
    'limit: nesting',
  ),
  bomb('a picture of 60,000 × 60,000', 'a.png', () => hugePicture(60_000), 'limit: picture size', {
    ocr: true,
  }),
];
