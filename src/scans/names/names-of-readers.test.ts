/**
 * Every name that a reader returns is masked afterwards: so a reader must not return a truncated value, at
 * any position in the name.
 */
import fc from 'fast-check';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { describe, expect, it } from 'vitest';
import type { DocumentReader } from '../../extraction/document-item.ts';
import { block, header, record, text } from '../../extraction/documents/data/avro/avro.fixture.ts';
import { readAvro } from '../../extraction/documents/data/avro.ts';
import { collect } from '../../extraction/documents/data/data.fixture.ts';
import { readParquet } from '../../extraction/documents/data/parquet.ts';
import { sqliteFile } from '../../extraction/documents/data/sqlite/sqlite.fixture.ts';
import { readSqlite } from '../../extraction/documents/data/sqlite.ts';
import { OutlookProperties } from '../../extraction/documents/legacy/outlook/outlook-properties.ts';
import { CommentAuthors } from '../../extraction/documents/office/excel/comment-authors.ts';
import { sheetLocation } from '../../extraction/documents/sheets/cell-value.ts';
import { parseHeader } from '../../extraction/formats/mail/mail-header.ts';
import { htmlName } from '../../extraction/structure/markup.ts';
import { NameMasker } from './name-masker.ts';

const masker = new NameMasker(Buffer.alloc(32, 7));
const VALUES = [
  '4539578763621486',
  '4539 5787 6362 1486',
  'DE89 3704 0044 0532 0130 00',
  'john.doe@acme-corp.com',
  'ghp_c4N9aRyZq82LmXw7TbVe51KdHs06UoPjRiGf',
  '+1 (415) 555-2671',
];
/** The lengths at which readers truncate names, or did. */
const CUTS = [40, 64, 100, 128, 256, 1024, 4096, 5120, 8192];

/** Less than a mask reveals of a value: eight characters of its middle. */
function partsOf(value: string): string[] {
  const inner = value.slice(4, -4);
  return Array.from({ length: Math.max(1, inner.length - 7) }, (_, i) => inner.slice(i, i + 8));
}

async function namesIn(read: DocumentReader, bytes: Uint8Array): Promise<string[]> {
  const { texts } = await collect(read, bytes);
  return texts.flatMap(({ location: place, columns }) => [
    ...(place === null ? [] : [`a.file#${place}`]),
    ...(columns ?? []),
  ]);
}

const READERS: Readonly<Record<string, (name: string) => string[] | Promise<string[]>>> = {
  'a sheet': (name) => [`cut.xlsx#${sheetLocation(name)}`],
  'an author of comments': (name) => {
    const authors = new CommentAuthors();
    authors.add(name);
    return [authors.of(0)];
  },
  'a table and a column of SQLite': (name) =>
    namesIn(
      readSqlite,
      sqliteFile((database) =>
        database.exec(`CREATE TABLE "${name}" ("${name}" TEXT); INSERT INTO "${name}" VALUES (1)`),
      ),
    ),
  'a column of Parquet': (name) =>
    namesIn(
      readParquet,
      new Uint8Array(parquetWriteBuffer({ columnData: [{ name, data: ['x'], type: 'STRING' }] })),
    ),
  'a column of Avro': (name) =>
    namesIn(readAvro, Buffer.concat([header(record({ [name]: 'string' })), block([text('x')])])),
  'a column of a record in Avro': (name) => {
    const inner = { type: 'record', name: 'Inner', fields: [{ name, type: 'string' }] };
    return namesIn(readAvro, Buffer.concat([header(record({ outer: inner })), block([text('x')])]));
  },
  'an attachment of a mail': (name) => [nameIn(`Content-Disposition: attachment; filename="${name}.txt"`)],
  'an attachment of a mail in sections': (name) => {
    const half = Math.ceil(name.length / 2);
    const sections = [name.slice(0, half), name.slice(half)].map(
      (section, i) => `filename*${i}="${section}"`,
    );
    return [nameIn(`Content-Disposition: attachment; ${sections.join('; ')}`)];
  },
  'an attachment of an Outlook message': async (name) => [await outlookName(name)],
  'a cell of an HTML table': (name) => {
    const page = `<table><tr><th>a</th><th>${name}</th></tr><tr><td>x</td><td>value</td></tr></table>`;
    return [htmlName(Buffer.from(page), page.indexOf('value')) ?? ''];
  },
};

function nameIn(line: string): string {
  return parseHeader(Buffer.from(`${line}\r\n`)).fileName ?? '';
}

function outlookName(name: string): Promise<string> {
  const bytes = Buffer.from(name, 'utf16le');
  const read = async (from: number, to: number) => bytes.subarray(from, to);
  const storage = { stream: (is: string) => (is.endsWith('001F') ? { size: bytes.length, read } : null) };
  return new OutlookProperties(storage as never, new Uint8Array(0), 0, null).name(0x3707);
}

describe.each(Object.entries(READERS))('the name of %s', (_, read) => {
  it.each(VALUES)('is displayed without any part of %s, at any position', async (value) => {
    const position = fc.tuple(
      fc.constantFrom(...CUTS),
      fc.nat(value.length + 30),
      fc.constantFrom('s', 'ab '),
    );
    await fc.assert(
      fc.asyncProperty(position, fc.nat(40), async ([cut, back, filler], behind) => {
        const before = `${filler.repeat(cut)}`.slice(0, Math.max(0, cut - back));
        const names = await read(`${before} ${value}${' end'.repeat(behind)}`);
        const shown = names.map((name) => masker.name(name)).join('\n');
        expect(partsOf(value).filter((part) => shown.includes(part))).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });
});
