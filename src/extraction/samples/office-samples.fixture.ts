import {
  binaryFiles,
  cell,
  record,
  rowOf,
  sheetOf,
  u8,
  u32,
  wide,
} from '../documents/office/excel/binary/binary.fixture.ts';
import { excelFiles, rowXml, sheetXml } from '../documents/office/excel/excel.fixture.ts';
import {
  flatCell,
  flatOpen,
  flatRow,
  flatWord,
  flatWorkbook,
  wordRuns,
} from '../documents/office/flat/flat-office.fixture.ts';
import { type Files, relations, zipped } from '../documents/office/office.fixture.ts';
import {
  numberCell,
  openFiles,
  sheetTable,
  tableRow,
  textCell,
} from '../documents/office/open-document/open-document.fixture.ts';
import { powerPointFiles, slide, textShape } from '../documents/office/powerpoint.fixture.ts';
import { paragraph, wordFiles, wordPart } from '../documents/office/word.fixture.ts';
import { mutated, mutatedOne } from './mutate.fixture.ts';
import { MARKER, type Sample } from './sample.fixture.ts';

const docx = wordFiles(
  `${paragraph(`the ${MARKER}`)}<w:tbl><w:tr><w:tc>${paragraph('x')}</w:tc></w:tr></w:tbl>`,
  {
    'word/_rels/document.xml.rels': relations({
      rId1: ['header', 'header1.xml'],
      rId2: ['hyperlink', 'mailto:ann@example.com'],
      rId3: ['comments', 'comments.xml'],
    }),
    'word/header1.xml': wordPart('hdr', paragraph('head')),
    'word/comments.xml': wordPart('comments', `<w:comment w:author="Bob">${paragraph('no')}</w:comment>`),
    'word/embeddings/note.txt': 'a text that is attached',
  },
);

const strings: string[] = [];
const sheet = sheetXml(
  rowXml(1, ['Name', 'Born', 'Number'], strings) +
    rowXml(2, [MARKER, '<c s="1"><v>29358</v></c>', 4.1e15], strings) +
    rowXml(9, [undefined, '<c t="inlineStr"><is><r><t>x</t></r></is></c>', 3], strings),
  '<hyperlinks><hyperlink ref="A1" r:id="rId1"/></hyperlinks>',
);
const xlsx = excelFiles({ People: sheet, Others: sheet }, strings, {
  'xl/worksheets/_rels/sheet1.xml.rels': relations({
    rId1: ['hyperlink', 'mailto:ann@example.com'],
    rId2: ['comments', '../comments1.xml'],
  }),
  'xl/comments1.xml': '<comments><comment ref="A1"><text><t>some comment</t></text></comment></comments>',
});

const records = sheetOf(
  [rowOf(1, 'Name', 'Born', 'Number'), rowOf(2, MARKER, 29358, 4.1e15), cell(7, 3, u32(0))],
  [record(494, u32(0, 0, 0, 0), ...['rId1', '', '', ''].map(wide))],
);
const xlsb = binaryFiles(
  { People: records, Others: records },
  {
    strings: ['shared'],
    more: {
      'xl/worksheets/_rels/sheet1.bin.rels': relations({
        rId1: ['hyperlink', 'mailto:ann@example.com'],
        rId2: ['comments', '../comments1.bin'],
      }),
      'xl/comments1.bin': Buffer.concat([
        record(628),
        record(635, u32(0, 1, 1, 2, 2), Buffer.alloc(16)),
        record(637, u8(0), wide('some comment')),
        record(636),
        record(629),
      ]),
    },
  },
);

const pptx = powerPointFiles([textShape('One', MARKER), textShape('Two', 'three')], {
  'ppt/slides/_rels/slide1.xml.rels': relations({ rId1: ['notesSlide', '../notesSlides/n.xml'] }),
  'ppt/notesSlides/n.xml': slide(textShape('a note'), 'notes'),
});

const odt = openFiles(
  'text',
  `<text:h>Title</text:h><text:p>the <text:span>${MARKER}</text:span><text:s text:c="3"/><text:tab/>end</text:p>` +
    `<text:p>x<text:note><text:note-body><text:p>note</text:p></text:note-body></text:note></text:p>` +
    `<text:list><text:list-item><text:p>item</text:p></text:list-item></text:list>` +
    `<table:table table:name="T">${tableRow(textCell('a') + textCell('b'))}</table:table>`,
);

const ods = openFiles(
  'spreadsheet',
  sheetTable(
    'People',
    tableRow(textCell('Name') + numberCell('12345', '12345')) +
      tableRow(
        `${textCell(MARKER, 'table:number-columns-repeated="3"')}<table:covered-table-cell/>`,
        'table:number-rows-repeated="2"',
      ) +
      tableRow(
        '<table:table-cell><office:annotation><text:p>c</text:p></office:annotation></table:table-cell>',
      ),
  ),
);

const epub: Files = {
  mimetype: 'application/epub+zip',
  'META-INF/container.xml': '<container><rootfile full-path="a.opf"/></container>',
  'a.opf':
    '<package><metadata><title>T</title></metadata><manifest><item id="c" href="c.html" media-type="text/html"/></manifest><spine><itemref idref="c"/></spine></package>',
  'c.html': `<html><body><p>Some &amp; text, the ${MARKER}<table><tr><td>x</td></tr></table></body></html>`,
};

const flat: readonly Sample[] = [
  ['fodt', 'sample.fodt', flatOpen('text', `<text:p>the <text:span>${MARKER}</text:span></text:p>`)],
  ['Word XML', 'word.xml', flatWord(wordRuns('the ', MARKER))],
  ['Excel XML', 'excel.xml', flatWorkbook({ People: flatRow(flatCell(MARKER), flatCell('1', 'Number')) })],
].map(([format, name, text]) => ({
  format: format!,
  name: name!,
  bytes: Buffer.from(text!),
  marker: MARKER,
  // Cut off before its root has a name it is a text.
  endless: true,
}));

const packages: readonly Sample[] = Object.entries({ docx, xlsx, xlsb, pptx, odt, ods, epub }).map(
  ([format, files]) => ({
    format,
    name: `sample.${format}`,
    bytes: zipped(files),
    marker: MARKER,
    deeper: (random) =>
      zipped(
        Object.fromEntries(
          mutatedOne(Object.entries(files), random, ([name, part]) => [
            name,
            mutated(Buffer.from(part as string), random),
          ]),
        ),
      ),
  }),
);

export const officeSamples: readonly Sample[] = [...packages, ...flat];
