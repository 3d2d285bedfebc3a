import type { DocumentItem, RandomAccess } from '../../../document-item.ts';
import { CorruptInput, ExtractionError } from '../../../extraction-error.ts';
import { PartErrors } from '../../part-errors.ts';
import type { CellRows } from '../../sheets/cell-rows.ts';
import { BiffRecords, uint16 } from './biff-records.ts';
import { CellReader, isCell, type Rows } from './excel-cells.ts';
import { BOF, EOF, type Globals } from './excel-globals.ts';
import type { SheetNotes } from './excel-notes.ts';

/** The number of rows buffered for a sheet with unordered cells. */
const BAND = 4096;
/** The substream type of a chart. */
const CHART = 0x20;

/** The location of a sheet's records, and its grid. */
export interface Sheet {
  readonly stream: RandomAccess;
  readonly from: number;
  readonly to: number;
  readonly globals: Globals;
  readonly notes: SheetNotes;
  readonly cells: CellRows;
}

/**
 * The cells of a sheet. Programs that wrote their sheets column by column are not rare: such a sheet is read several
 * times, each time for some of its rows.
 */
export async function* readCells(sheet: Sheet): AsyncGenerator<DocumentItem> {
  const { ordered, end } = await orderOf(sheet);
  if (ordered) return yield* readInOrder(sheet, { first: 0, end });
  const errors = new PartErrors();
  for (let first = 0; first < end; first += BAND) {
    yield* errors.attempt(readBand(sheet, { first, end: first + BAND }));
  }
  errors.throwFirst();
}

/** Damage is met again when the cells are read. */
async function orderOf(sheet: Sheet): Promise<{ ordered: boolean; end: number }> {
  const records = new SheetRecords(sheet);
  let ordered = true;
  let last = 0;
  try {
    while (await records.more())
      while (records.next()) {
        if (records.inChart || !isCell(records.record.type)) continue;
        const row = uint16(records.record.bytes, records.record.from);
        if (row < last) ordered = false;
        else last = row;
      }
  } catch (error) {
    if (!(error instanceof ExtractionError)) throw error;
  }
  return { ordered, end: last + 1 };
}

async function* readInOrder(sheet: Sheet, rows: Rows): AsyncGenerator<DocumentItem> {
  const { globals, notes, cells } = sheet;
  const records = new SheetRecords(sheet);
  const reader = new CellReader(globals, rows, (row, column, text) => cells.put(row, column, text));
  while (await records.more())
    while (records.next()) {
      if (!records.inChart) reader.take(records.record);
      notes.take(records.record);
      if (cells.ready) yield* cells.take();
    }
  if (reader.damaged) throw new CorruptInput('shared string');
}

async function* readBand(sheet: Sheet, { first, end }: Rows): AsyncGenerator<DocumentItem> {
  const { globals, notes, cells } = sheet;
  const records = new SheetRecords(sheet);
  const rows: string[][] = [];
  const reader = new CellReader(globals, { first, end }, (row, column, text) => {
    rows[row - first] ??= [];
    rows[row - first]![column] = text;
  });
  let extractionError: unknown = null;
  try {
    while (await records.more())
      while (records.next()) {
        if (!records.inChart) reader.take(records.record);
        if (first === 0) notes.take(records.record);
      }
  } catch (error) {
    extractionError = error;
  }
  for (let row = 0; row < rows.length; row++) {
    rows[row]?.forEach((text, column) => {
      cells.put(first + row, column, text);
    });
    if (cells.ready) yield* cells.take();
  }
  if (extractionError !== null) throw extractionError;
  if (reader.damaged) throw new CorruptInput('shared string');
}

/** The records from a sheet's beginning to its end, and of the charts in it. */
class SheetRecords {
  readonly record: BiffRecords;
  #depth = 0;
  #isChart = false;
  #ended = false;

  constructor({ stream, from, to }: Sheet) {
    this.record = new BiffRecords(stream, from, to);
  }

  /** The cells of a chart are copies of those it was made of. */
  get inChart(): boolean {
    return this.#isChart || this.#depth > 1;
  }

  async more(): Promise<boolean> {
    if (this.#ended) return false;
    if (await this.record.more()) return true;
    throw new CorruptInput('truncated workbook');
  }

  next(): boolean {
    while (!this.#ended && this.record.next()) {
      const { type } = this.record;
      if (this.#depth === 0 && type !== BOF) throw new CorruptInput('workbook sheet');
      if (type === BOF) this.#begin(this.record);
      else if (type === EOF) this.#ended = --this.#depth === 0;
      else return true;
    }
    return false;
  }

  #begin({ bytes, from }: BiffRecords): void {
    if (++this.#depth === 1) this.#isChart = uint16(bytes, from + 2) === CHART;
  }
}
