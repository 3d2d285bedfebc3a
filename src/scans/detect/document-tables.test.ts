/** Findings in the tables of documents, and their reported positions. */
import { describe, expect, it } from 'vitest';
import { keyOf } from '../../base/key.ts';
import { workbookOf } from '../../extraction/documents/office/excel/excel.fixture.ts';
import {
  openDocument,
  tableRow,
  textCell,
} from '../../extraction/documents/office/open-document/open-document.fixture.ts';
import { powerPoint } from '../../extraction/documents/office/powerpoint.fixture.ts';
import { paragraph, word } from '../../extraction/documents/office/word.fixture.ts';
import { createMemorySource } from '../../sources/memory/memory.ts';
import type { SourceObject } from '../../sources/source.ts';
import { formatLocation } from '../results/finding-location.ts';
import type { Inspection } from '../results/inspection.ts';
import { inspectWhole } from '../segments/by-segments.fixture.ts';

const never = new AbortController().signal;

async function inspect(name: string, bytes: Uint8Array): Promise<Inspection> {
  const source = createMemorySource();
  source.put(keyOf(name), bytes);
  return inspectWhole(source, (await source.find(keyOf(name), never)) as SourceObject, 100);
}

/** Each finding as "KIND position field". */
async function findingsOf(name: string, bytes: Uint8Array): Promise<string[]> {
  const { findings } = await inspect(name, bytes);
  return findings.map((one) => `${one.detector} ${formatLocation(one)} ${one.field}`);
}

const wordCell = (text: string, more = '') => `<w:tc><w:tcPr>${more}</w:tcPr>${paragraph(text)}</w:tc>`;
const wordTable = (rows: readonly (readonly string[])[]) =>
  `<w:tbl>${rows.map((row) => `<w:tr>${row.map((cell) => wordCell(cell)).join('')}</w:tr>`).join('')}</w:tbl>`;

const PEOPLE = [
  ['Employee', 'SSN', 'Account number'],
  ['Jennifer Thompson', '219091234', '40012345678'],
  ['Anna Smith', '219094321', '40087654321'],
];

describe('a table with a head in a document', () => {
  it('names its values, in Word', async () => {
    const text = word(paragraph('SSN: 219-09-1111') + wordTable(PEOPLE) + paragraph('SSN: 219-09-2222'));
    const found = await findingsOf('a.docx', text);
    expect(found.filter((one) => one.startsWith('SSN'))).toEqual([
      'SSN :1:6 SSN',
      'SSN #table 1!B2 SSN',
      'SSN #table 1!B3 SSN',
      'SSN :2:6 SSN',
    ]);
    expect(found).toContain('NAME #table 1!A2 Employee');
    expect(found).toContain('ACCOUNT_NUMBER #table 1!C3 Account number');
  });

  it('names its values beside merged cells', async () => {
    const total = `<w:tr>${wordCell('Both', '<w:gridSpan w:val="2"/>')}${wordCell('40012345678')}</w:tr>`;
    const table = wordTable(PEOPLE).replace('</w:tbl>', `${total}</w:tbl>`);
    expect(await findingsOf('a.docx', word(table))).toContain('ACCOUNT_NUMBER #table 1!C4 Account number');
  });

  it('names its values, on a slide', async () => {
    const cell = (text: string) =>
      `<a:tc><a:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></a:txBody></a:tc>`;
    const rows = PEOPLE.map((row) => `<a:tr>${row.map(cell).join('')}</a:tr>`).join('');
    expect(await findingsOf('a.pptx', powerPoint([`<a:tbl>${rows}</a:tbl>`]))).toContain(
      'SSN #slide 1 table 1!B3 SSN',
    );
  });

  it('names its values, in an OpenDocument', async () => {
    const rows = PEOPLE.map((row) => tableRow(row.map((cell) => textCell(cell)).join(''))).join('');
    const table = `<table:table table:name="T">${rows}</table:table>`;
    expect(await findingsOf('a.odt', openDocument('text', table))).toContain('SSN #table 1!B3 SSN');
  });
});

describe('a form in a document', () => {
  const rows = [
    ['Name:', 'Jennifer Thompson'],
    ['SSN', '219-09-1234'],
    ['Date of birth', '05/17/1980'],
  ];

  it('has its labels to the left, with and without a colon', async () => {
    for (const first of ['Name:', 'Name']) {
      const found = await findingsOf('a.docx', word(wordTable([[first, rows[0]![1]!], ...rows.slice(1)])));
      const kinds = found.map((one) => one.replace(/ .*/, ''));
      expect(kinds).toEqual(expect.arrayContaining(['NAME', 'SSN', 'DATE_DOB']));
    }
  });
});

describe('a table of one cell around others in a document', () => {
  it('does not hide what they are', async () => {
    const layout = `<w:tbl><w:tr><w:tc>${paragraph('Our people')}${wordTable(PEOPLE)}<w:p/></w:tc></w:tr></w:tbl>`;
    expect(await findingsOf('a.docx', word(layout))).toContain('SSN #table 2!B3 SSN');
  });
});

describe('a sheet whose header is below a title', () => {
  it('has values below the head only', async () => {
    const rows = Array.from({ length: 20 }, (_, n) => [`user${n}@acme.example`, n, 'x']);
    const sheet = workbookOf([['Anna Smith'], ['Draft'], ['Contact name', 'No', 'Note'], ...rows]);
    const { columns, findings } = await inspect('a.xlsx', sheet);
    expect(columns).toMatchObject([{ detector: 'EMAIL', share: 1, values: 20 }]);
    const above = findings.filter(({ part }) => part === '#Sheet1!A1');
    expect(above.every(({ field }) => field === null)).toBe(true);
  });
});
