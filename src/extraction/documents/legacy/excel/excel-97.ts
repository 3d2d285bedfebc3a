/**
 * Workbooks of Excel 5 to 2003 (BIFF5 and BIFF8).
 *
 * Format: [MS-XLS] sections 2.1 and 2.4; BIFF5 as in "Microsoft Excel 97 Developer's Kit".
 *
 * No library: SheetJS on npm (0.18.5) is out of date with known vulnerabilities, and builds the whole workbook in memory.
 */
import type { ExtractionBudget } from '../../../budget/extraction-budget.ts';
import type { DocumentItem, RandomAccess } from '../../../document-item.ts';
import { CorruptInput } from '../../../extraction-error.ts';
import { memoryAccess } from '../../../input/random-access.ts';
import { PartErrors, PartLimitExceeded } from '../../part-errors.ts';
import { CellRows } from '../../sheets/cell-rows.ts';
import { sheetLocation } from '../../sheets/cell-value.ts';
import { type Meter, SheetRows } from '../../sheets/sheet-rows.ts';
import type { Storage } from '../compound-file/compound-directory.ts';
import { drawnPictures } from '../office-art-pictures.ts';
import { BiffRecords } from './biff-records.ts';
import { CONTINUE, DRAWINGS, EOF, readGlobals, type SheetPosition } from './excel-globals.ts';
import { SheetNotes } from './excel-notes.ts';
import { readCells, type Sheet } from './excel-sheet.ts';

/** Excel 5 to 2003 [MS-XLS]: a stream of records, first what all sheets share, then sheet after sheet. */
export async function* readExcel97(
  document: Storage,
  budget: ExtractionBudget,
): AsyncGenerator<DocumentItem> {
  const stream = document.stream('Workbook') ?? document.stream('Book');
  if (stream === null) throw new CorruptInput('workbook stream');
  const globals = await readGlobals(stream);
  const errors = new PartErrors();
  const places = new Map<string, number>();
  const meter: Meter = { budget, size: stream.size, out: 0 };
  for (const { name, from, to } of inOrder(globals.sheets, stream.size)) {
    budget.countPage();
    const location = uniqueSheetName(sheetLocation(name), places);
    const cells = new CellRows(new SheetRows(location, meter));
    const notes = new SheetNotes(`${location} notes`, globals.text);
    yield* errors.attempt(readSheet({ stream, from, to, globals, notes, cells }));
  }
  if (globals.hasDrawings) yield* errors.attempt(picturesOfWorkbook(stream, budget));
  errors.throwFirst();
}

/** Each up to where the next begins: so none is read twice. */
function inOrder(sheets: readonly SheetPosition[], end: number): (SheetPosition & { to: number })[] {
  const sorted = sheets.toSorted((a, b) => a.from - b.from);
  return sorted.map((sheet, i) => ({ ...sheet, to: sorted[i + 1]?.from ?? end }));
}

/** Excel requires unique sheet names; a forged file may repeat one to hide a sheet. */
function uniqueSheetName(name: string, taken: Map<string, number>): string {
  const before = taken.get(name) ?? 0;
  taken.set(name, before + 1);
  return before === 0 ? name : `${name} (${before + 1})`;
}

/** What was read before an error is yielded first. */
async function* readSheet(sheet: Sheet): AsyncGenerator<DocumentItem> {
  let extractionError: unknown = null;
  try {
    yield* readCells(sheet);
  } catch (error) {
    extractionError = error;
  }
  yield* sheet.cells.end();
  yield* sheet.notes.end();
  if (extractionError !== null) throw extractionError;
}

const MAX_BYTES = 64 * 1024 * 1024;

/** Metafile pictures of all sheets. They are split over several records, and therefore assembled first. */
async function* picturesOfWorkbook(
  stream: RandomAccess,
  budget: ExtractionBudget,
): AsyncGenerator<DocumentItem> {
  const records = new BiffRecords(stream, 0, stream.size);
  const parts: Uint8Array[] = [];
  let length = 0;
  let last = 0;
  while (last !== EOF && (await records.more()))
    while (last !== EOF && records.next()) {
      // What continues a drawing is one.
      last = records.type === CONTINUE && last === DRAWINGS ? DRAWINGS : records.type;
      if (last !== DRAWINGS) continue;
      length += records.length;
      if (length > MAX_BYTES) throw new PartLimitExceeded('pictures of a workbook');
      parts.push(Uint8Array.from(records.bytes.subarray(records.from, records.to)));
    }
  yield* drawnPictures([memoryAccess(Buffer.concat(parts))], budget);
}
