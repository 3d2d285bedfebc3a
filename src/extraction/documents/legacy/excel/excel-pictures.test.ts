import { describe, expect, it } from 'vitest';
import { ExtractionBudget } from '../../../budget/extraction-budget.ts';
import { gather, placesOf } from '../../items.fixture.ts';
import { emfOf, emfText } from '../../pictures/metafile/metafile.fixture.ts';
import { memory, writeCompoundFile } from '../compound-file/compound-file.fixture.ts';
import { openCompoundFile } from '../compound-file/compound-file.ts';
import { pictureRecord } from '../office-art-pictures.fixture.ts';
import { label, record, workbookStream } from './excel-97.fixture.ts';
import { readExcel97 } from './excel-97.ts';

const DRAWINGS = 0xeb;
const CONTINUE = 0x3c;
const emf = emfOf(emfText('card 4111'));
const picture = pictureRecord(emf);

async function read(...globals: readonly Buffer[]) {
  const workbook = workbookStream({ globals, sheets: [{ name: 'S', records: [label(0, 0, 'a cell')] }] });
  const { root } = await openCompoundFile(memory(writeCompoundFile({ Workbook: workbook })));
  return gather(readExcel97(root, new ExtractionBudget()));
}

describe('pictures of a workbook of Excel 97 that draw text', () => {
  it('are assembled from their records', async () => {
    const seen = await read(
      record(DRAWINGS, Buffer.alloc(50), picture.subarray(0, 40)),
      record(CONTINUE, picture.subarray(40, 90)),
      record(DRAWINGS, picture.subarray(90), Buffer.alloc(50)),
      record(0x5c, picture),
      record(CONTINUE, picture),
    );
    expect(placesOf(seen)).toEqual({ S: 'a cell\n' });
    expect(seen).toMatchObject({ error: null, entries: [{ name: 'picture 1', bytes: emf }] });
  });

  it('are none in most workbooks', async () => {
    expect((await read(record(DRAWINGS), record(0x5c, picture))).entries).toEqual([]);
    expect((await read()).entries).toEqual([]);
  });
});
