import { zipOf } from '../../archives/zip/zip.fixture.ts';
import {
  binaryFiles,
  cell,
  float,
  row,
  sheetOf,
} from '../../documents/office/excel/binary/binary.fixture.ts';
import { excelFiles, sheetXml } from '../../documents/office/excel/excel.fixture.ts';
import { flatCell, flatWorkbook } from '../../documents/office/flat/flat-office.fixture.ts';
import { type Files, relations } from '../../documents/office/office.fixture.ts';
import {
  openFiles,
  sheetTable,
  tableRow,
  textCell,
} from '../../documents/office/open-document/open-document.fixture.ts';
import { powerPointFiles, textShape } from '../../documents/office/powerpoint.fixture.ts';
import { body, paragraph, wordFiles, wordPart } from '../../documents/office/word.fixture.ts';
import { hostileFiles } from './hostile-file.fixture.ts';

const MILLION = 1_000_000;

/** All parts deflated, so that even the largest is a small file. */
const deflated = (files: Files) =>
  zipOf(Object.entries(files).map(([name, data]) => ({ name, data, method: name === 'mimetype' ? 0 : 8 })));
const sheet = (rows: string, strings: readonly string[] = [], after = '') =>
  deflated(excelFiles({ S: sheetXml(rows, after) }, strings));
const spreadsheet = (rows: string) => deflated(openFiles('spreadsheet', sheetTable('S', rows)));
const word = (inside: string, more: Files = {}) => deflated(wordFiles(inside, more));
const numbers = (count: number) => Array.from({ length: count }, (_, i) => i + 1);
const TEXTS = paragraph('the same words again').repeat(5000);

const eachRow = (count: number, cells: (n: number) => string) =>
  numbers(count)
    .map((n) => `<row r="${n}">${cells(n)}</row>`)
    .join('');

const binaryLastColumn = (rows: number) =>
  deflated(
    binaryFiles({
      S: sheetOf(numbers(rows).flatMap((n) => [row(n), cell(5, 16_383, float(1))])),
    }),
  );

/** Many sheets of the workbook are the same part. */
const sameSheet = (times: number) => {
  const files = excelFiles({ S: sheetXml(`<row r="1"><c r="A1"><v>1</v></c></row>`.repeat(2000)) }, []);
  const list = numbers(times).map((n) => `<sheet name="S${n}" sheetId="${n}" r:id="rId1"/>`);
  const main = String(files['xl/workbook.xml']).replace(
    /<sheets>.*<\/sheets>/,
    `<sheets>${list.join('')}</sheets>`,
  );
  return deflated({ ...files, 'xl/workbook.xml': main });
};

const sameParts = (times: number, type: string) =>
  word(paragraph('one'), {
    'word/_rels/document.xml.rels': relations(
      Object.fromEntries(numbers(times).map((n) => [`rId${n}`, [type, 'same.xml']])),
    ),
    'word/same.xml': wordPart(type === 'header' ? 'hdr' : type, TEXTS),
  });

const sameSlide = (times: number) => {
  const files = powerPointFiles([textShape(...numbers(2000).map((n) => `text ${n}`))]);
  const list = numbers(times).map((n) => `<p:sldId id="${255 + n}" r:id="rId1"/>`);
  const main = String(files['ppt/presentation.xml']).replace(
    /<p:sldId id="256" r:id="rId1"\/>/,
    list.join(''),
  );
  return deflated({ ...files, 'ppt/presentation.xml': main });
};

const slideLoop = () =>
  deflated(
    powerPointFiles([textShape('a slide')], {
      'ppt/slides/_rels/slide1.xml.rels': relations(
        Object.fromEntries(
          numbers(20_000).map((n) => [`rId${n}`, [n % 2 ? 'notesSlide' : 'slide', '../slides/slide1.xml']]),
        ),
      ),
    }),
  );

const sameChapter = (times: number) =>
  deflated({
    mimetype: 'application/epub+zip',
    'META-INF/container.xml': '<container><rootfile full-path="a.opf"/></container>',
    'a.opf': `<package><manifest>${numbers(times)
      .map((n) => `<item id="c${n}" href="c.html" media-type="text/html"/>`)
      .join('')}</manifest><spine>${numbers(times)
      .map((n) => `<itemref idref="c${n}"/>`)
      .join('')}</spine></package>`,
    'c.html': `<html><body>${'<p>the same words</p>'.repeat(5000)}`,
  });

const farCells = (rows: number) =>
  spreadsheet(
    tableRow(`<table:table-cell table:number-columns-repeated="16383"/>${textCell('x')}`).repeat(rows),
  );

const inItself = (depth: number) => {
  let inner = word(paragraph('the innermost'));
  for (let i = 0; i < depth; i++) inner = word(paragraph('around it'), { 'word/embeddings/a.docx': inner });
  return inner;
};

export const officeFiles = hostileFiles({
  'xlsx: a cell in the last column of 200,000 rows': [
    'a.xlsx',
    () => sheet(eachRow(200_000, (n) => `<c r="XFD${n}"><v>1</v></c>`)),
  ],
  'xlsb: a cell in the last column of 200,000 rows': ['a.xlsb', () => binaryLastColumn(200_000)],
  'xlsx: cells without values': ['a.xlsx', () => sheet(eachRow(500, () => '<c/>'.repeat(16_000)))],
  'xlsx: two million empty rows': ['a.xlsx', () => sheet('<row/>'.repeat(2 * MILLION))],
  'xlsx: one sheet 10,000 times': ['a.xlsx', () => sameSheet(10_000)],
  'xlsx: a cell again and again': [
    'a.xlsx',
    () => sheet(`<row r="1">${'<c r="XFD1"><v>1</v></c><c r="A1"><v>1</v></c>'.repeat(400_000)}</row>`),
  ],
  'xlsx: rows that go back': [
    'a.xlsx',
    () =>
      sheet('<row r="9"><c r="A9"><v>1</v></c></row><row r="1"><c r="A1"><v>1</v></c></row>'.repeat(200_000)),
  ],
  'xlsx: a million links': [
    'a.xlsx',
    () =>
      sheet(
        '',
        [],
        `<hyperlinks>${'<hyperlink ref="A1" display="x" location="y"/>'.repeat(MILLION)}</hyperlinks>`,
      ),
  ],
  'xlsx: a million shared strings of nothing': [
    'a.xlsx',
    () => sheet('', new Array<string>(MILLION).fill('')),
  ],
  'xlsx: a shared string of a million runs': [
    'a.xlsx',
    () =>
      sheet(
        eachRow(100, () => '<c t="s"><v>0</v></c>'.repeat(100)),
        ['<r><t>x</t></r>'.repeat(MILLION)],
      ),
  ],
  'docx: a million empty paragraphs': ['a.docx', () => word('<w:p/>'.repeat(MILLION))],
  'docx: 20 million empty runs': ['a.docx', () => word(`<w:p>${'<w:r/>'.repeat(20 * MILLION)}</w:p>`)],
  'docx: one header 10,000 times': ['a.docx', () => sameParts(10_000, 'header')],
  'docx: footnotes 10,000 times': ['a.docx', () => sameParts(10_000, 'footnotes')],
  'docx: tables in each other': ['a.docx', () => word('<w:tbl><w:tr><w:tc>'.repeat(100_000))],
  'docx: rows of a million cells': [
    'a.docx',
    () => word(`<w:tbl>${`<w:tr>${'<w:tc/>'.repeat(MILLION)}</w:tr>`.repeat(4)}</w:tbl>`),
  ],
  'docx: cells that span two billion columns': [
    'a.docx',
    () =>
      word(
        `<w:tbl>${'<w:tr><w:trPr><w:gridBefore w:val="2000000000"/></w:trPr><w:tc><w:tcPr><w:gridSpan w:val="2000000000"/></w:tcPr><w:p><w:r><w:t>x</w:t></w:r></w:p></w:tc></w:tr>'.repeat(1000)}</w:tbl>`,
      ),
  ],
  'docx: an element of 300,000 attributes': [
    'a.docx',
    () =>
      word(
        `<w:p ${numbers(300_000)
          .map((n) => `a${n}="x"`)
          .join(' ')}>${'<w:r/>'.repeat(1000)}</w:p>`,
      ),
  ],
  'docx: an attribute of 100 MB': ['a.docx', () => word(`<w:p w:val="${'x'.repeat(100 * MILLION)}"/>`)],
  'docx: a name of 100 MB': ['a.docx', () => word(`<w:${'x'.repeat(100 * MILLION)}/>`)],
  'docx: a comment without an end': ['a.docx', () => word(`<!--${'-'.repeat(100 * MILLION)}`)],
  'docx: references without an end': ['a.docx', () => word(paragraph('&#x4'.repeat(10 * MILLION)))],
  'docx: a million namespaces': [
    'a.docx',
    () =>
      word('', {
        'word/document.xml': `<w:document ${numbers(200_000)
          .map((n) => `xmlns:a${n}="x"`)
          .join(' ')}>${body('')}`,
      }),
  ],
  'docx: documents in each other': ['a.docx', () => inItself(60)],
  'docx: entities of entities in every part': [
    'a.docx',
    () =>
      word('', {
        'word/document.xml': `<!DOCTYPE x [${numbers(50_000)
          .map((n) => `<!ENTITY e${n} "&e${n - 1};&e${n - 1};">`)
          .join('')}]>${body(paragraph('&e50000;'.repeat(1000)))}`,
      }),
  ],
  'pptx: one slide 10,000 times': ['a.pptx', () => sameSlide(10_000)],
  'pptx: a slide with itself as its notes': ['a.pptx', slideLoop],
  'odt: spaces by the billion': [
    'a.odt',
    () => deflated(openFiles('text', `<text:p>${'<text:s text:c="2000000000"/>x'.repeat(5000)}</text:p>`)),
  ],
  'odt: cells repeated in tables in each other': [
    'a.odt',
    () =>
      deflated(
        openFiles(
          'text',
          '<table:table><table:table-row table:number-rows-repeated="1000000"><table:table-cell table:number-columns-repeated="1000000"><text:p>x</text:p>'.repeat(
            2000,
          ),
        ),
      ),
  ],
  'ods: a cell in the last column of 200,000 rows': ['a.ods', () => farCells(200_000)],
  'ods: a long text in every cell of a million rows': [
    'a.ods',
    () =>
      spreadsheet(
        tableRow(
          textCell('long '.repeat(100_000), 'table:number-columns-repeated="1000"'),
          'table:number-rows-repeated="1048576"',
        ),
      ),
  ],
  'epub: one chapter 10,000 times': ['a.epub', () => sameChapter(10_000)],
  'flat workbook: cells far away': [
    'a.xml',
    () =>
      flatWorkbook({
        S: numbers(20_000)
          .map((n) => `<Row ss:Index="${n * 50}">${flatCell('x', 'String', 'ss:Index="16384"')}</Row>`)
          .join(''),
      }),
  ],
});
