import { describe, expect, it } from 'vitest';
import { ExtractionBudget } from '../../../budget/extraction-budget.ts';
import { gather, placesOf } from '../../items.fixture.ts';
import { memory, writeCompoundFile } from '../compound-file/compound-file.fixture.ts';
import { openCompoundFile } from '../compound-file/compound-file.ts';
import { latin, long, oldBook, oldLabel, short } from './excel-95.fixture.ts';
import { bof, eof, number, record, u16 } from './excel-97.fixture.ts';
import { readExcel97 } from './excel-97.ts';

async function readBook(book: Buffer) {
  const { root } = await openCompoundFile(memory(writeCompoundFile({ Book: book })));
  return gather(readExcel97(root, new ExtractionBudget()));
}

describe('workbooks of Excel 5 and 95', () => {
  it('have the records of later ones, but for strings', async () => {
    const formula = record(0x06, u16(1, 1, 0), [0, 0, 0, 0, 0, 0, 0xff, 0xff], u16(0, 0, 0));
    const read = await readBook(
      oldBook(1252, latin('Bl\xe4tter'), [
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
    expect(read.error).toBeNull();
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
    const read = await readBook(oldBook(codePage, bytes, [oldLabel(0, 0, bytes)]));
    expect(placesOf(read)).toEqual({ [text]: `${text}\n` });
  });

  it('with strings longer than their record keep what is there', async () => {
    const cut = record(0x204, u16(0, 0, 0), u16(999), latin('cut'));
    const read = await readBook(oldBook(1252, latin('S'), [cut, oldLabel(1, 0, latin('next'))]));
    expect(placesOf(read)).toEqual({ S: 'cut\nnext\n' });
  });
});
