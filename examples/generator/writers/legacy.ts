/** Documents as Office wrote them until 2007: a small file system of streams. */
import {
  type Tree,
  writeCompoundFile,
} from '../../../src/extraction/documents/legacy/compound-file/compound-file.fixture.ts';
import { propertySets } from '../../../src/extraction/documents/legacy/compound-file/property-set.fixture.ts';
import {
  labelSst,
  number,
  type SheetFixture,
  workbookStream,
} from '../../../src/extraction/documents/legacy/excel/excel-97.fixture.ts';
import {
  presentationStreams,
  type SlideFixture,
} from '../../../src/extraction/documents/legacy/powerpoint/powerpoint-97.fixture.ts';
import {
  type WordParts,
  wordStreams,
} from '../../../src/extraction/documents/legacy/word/word-97.fixture.ts';

export interface About {
  readonly title: string;
  readonly author: string;
  readonly company: string;
}

export interface OldSheet {
  readonly name: string;
  readonly rows: readonly (readonly (string | number)[])[];
}

const SUMMARY = 'e0859ff2f94f6810ab9108002b27b3d9';
const DOCUMENT_SUMMARY = '02d5cdd59c2e1b10939708002b2cf9ae';

export function oldWord(content: { readonly about: About; readonly parts: WordParts }): Buffer {
  return writeCompoundFile({
    ...wordStreams(content.parts, { pieceLength: 700 }),
    ...properties(content.about),
  });
}

export function oldPowerPoint(content: {
  readonly about: About;
  readonly slides: readonly SlideFixture[];
}): Buffer {
  return writeCompoundFile({ ...presentationStreams(content.slides), ...properties(content.about) });
}

export function oldExcel(content: { readonly about: About; readonly sheets: readonly OldSheet[] }): Buffer {
  const strings: string[] = [];
  const sheets = content.sheets.map(({ name, rows }): SheetFixture => {
    const records = rows.flatMap((row, y) =>
      row.map((cell, x) => {
        if (typeof cell === 'number') return number(y, x, cell);
        return labelSst(y, x, strings.push(cell) - 1);
      }),
    );
    return { name, records };
  });
  return writeCompoundFile({ Workbook: workbookStream({ sheets, strings }), ...properties(content.about) });
}

function properties({ title, author, company }: About): Tree {
  const summary = propertySets([{ codePage: 1252, values: { 2: title, 4: author, 8: author } }]);
  const document = propertySets([{ codePage: 1252, values: { 15: company } }]);
  summary.write(SUMMARY, 28, 'hex');
  document.write(DOCUMENT_SUMMARY, 28, 'hex');
  return { '\x05SummaryInformation': summary, '\x05DocumentSummaryInformation': document };
}
