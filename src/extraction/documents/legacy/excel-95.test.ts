import { describe, expect, it } from 'vitest';
import { Budget } from '../../budget.ts';
import { gather, placesOf } from '../pieces.fixture.ts';
import { memory, writeCompoundFile } from './compound-file.fixture.ts';
import { openCompoundFile } from './compound-file.ts';
import { bof, eof, number, record, u16, u32 } from './excel-97.fixture.ts';
import { readExcel97 } from './excel-97.ts';

async function readBook(book: Buffer) {
  const { root } = await openCompoundFile(memory(writeCompoundFile({ Book: book })));
  return gather(readExcel97(root, new Budget()));
}

const latin = (text: string) => Buffer.from(text, 'latin1');
const short = (bytes: Buffer) => Buffer.concat([Buffer.of(bytes.length), bytes]);
const long = (bytes: Buffer) => Buffer.concat([u16(bytes.length), bytes]);
const oldLabel = (row: number, column: number, text: Buffer, type = 0x204) =>
  record(type, u16(row, column, 0), long(text));

/** One sheet. Strings have no mark of how wide they are, and are in the code page of the workbook. */
function bookOf(codePage: number, name: Buffer, records: readonly Buffer[]): Buffer {
  const head = [
    bof(5, 0x500),
    record(0x42, u16(codePage)),
    record(0x41e, u16(164), short(latin('yyyy-mm-dd'))),
    record(0xe0, u16(0, 0), Buffer.alloc(12)),
    record(0xe0, u16(0, 164), Buffer.alloc(12)),
  ];
  const sheetAt = (at: number) => record(0x85, u32(at), [0, 0], short(name));
  const from = Buffer.concat([...head, sheetAt(0), eof]).length;
  return Buffer.concat([...head, sheetAt(from), eof, bof(0x10, 0x500), ...records, eof]);
}

describe('workbooks of Excel 5 and 95', () => {
  it('have the records of later ones, but for strings', async () => {
    const formula = record(0x06, u16(1, 1, 0), [0, 0, 0, 0, 0, 0, 0xff, 0xff], u16(0, 0, 0));
    const read = await readBook(
      bookOf(1252, latin('Bl\xe4tter'), [
        record(0x14, short(latin('&Chead'))),
        oldLabel(0, 0, latin('M\xfcller')),
        oldLabel(0, 1, latin('4111111111111111'), 0xd6),
        number(1, 0, 36526, 1),
        formula,
        record(0x207, long(latin('a result'))),
        oldLabel(2, 0, latin('')),
        record(0x1c, u16(0, 0), long(latin('a comment'))),
        ...[bof(0x20, 0x500), record(0x100d, u16(0), short(latin('L\xf6hne'))), eof],
      ]),
    );
    expect(read.obstacle).toBeNull();
    expect(placesOf(read)).toEqual({
      Blätter: 'Müller\t4111111111111111\n2000-01-01\ta result\n',
      'Blätter notes': 'head\na comment\nLöhne\n',
    });
  });

  it.each([
    [1251, latin('\xcb\xe8\xf1\xf2'), 'Лист'],
    [932, latin('\x83\x56'), 'シ'],
    [0x8000, latin('\x9f'), 'ü'],
    [0x8001, latin('\xfc'), 'ü'],
  ])('are in a code page: %i', async (codePage, bytes, text) => {
    const read = await readBook(bookOf(codePage, bytes, [oldLabel(0, 0, bytes)]));
    expect(placesOf(read)).toEqual({ [text]: `${text}\n` });
  });

  it('with strings that say to be longer than their record keep what is there', async () => {
    const cut = record(0x204, u16(0, 0, 0), u16(999), latin('cut'));
    const read = await readBook(bookOf(1252, latin('S'), [cut, oldLabel(1, 0, latin('next'))]));
    expect(placesOf(read)).toEqual({ S: 'cut\nnext\n' });
  });
});
