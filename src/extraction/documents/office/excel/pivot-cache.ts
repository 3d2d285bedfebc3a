import type { ZipMember } from '../../../archives/zip/zip-directory.ts';
import type { DocumentItem } from '../../../document-item.ts';
import { CorruptInput } from '../../../extraction-error.ts';
import { cellText, type Grid, GridWriter } from '../../../grid.ts';
import { NameList, wholeName } from '../../../whole-name.ts';
import { unescaped } from '../../sheets/cell-value.ts';
import type { Meter } from '../../sheets/sheet-rows.ts';
import { type XmlTokens, xmlTokens } from '../../xml/xml-tokens.ts';
import { MAX_COLUMNS } from './cell-reference.ts';
import { SharedStrings } from './shared-strings.ts';

/** The cache of a pivot table: a copy of its source data, which remains even if the source sheet was deleted. */
export interface PivotCache {
  readonly names: string[];
  /** By field: values that records refer to by number. */
  readonly items: SharedStrings[];
  /** The sheet of this workbook that it was copied from; null: from elsewhere. */
  sheet: string | null;
}

/** What was read before an error is kept. */
export async function fillPivotCache(cache: PivotCache, definition: ZipMember): Promise<void> {
  const names = new NameList();
  for await (const xml of xmlTokens(definition.bytes()))
    while (xml.next()) {
      if (xml.token !== 'open') continue;
      if (xml.name === 'worksheetSource') {
        cache.sheet = xml.prefixedAttribute('id') === null ? xml.attribute('sheet') : null;
      } else if (xml.name === 'cacheField') {
        if (cache.names.length === MAX_COLUMNS) throw new CorruptInput('cell reference');
        cache.names.push(names.keep(wholeName(cellText(unescaped(xml.attribute('name') ?? '')))));
        cache.items.push(new SharedStrings());
      } else if (isItem(xml.name)) cache.items.at(-1)?.add(itemText(xml));
    }
}

/** Its records as rows of a table. */
export async function* pivotRecords(
  cache: PivotCache,
  records: ZipMember,
  location: string,
  meter: Meter,
): AsyncGenerator<DocumentItem> {
  const grid: Grid = { columns: cache.names, cells: 'rows', firstRow: 1 };
  const writer = new GridWriter();
  let row: string[] = [];
  try {
    for await (const xml of xmlTokens(records.bytes()))
      while (xml.next()) {
        if (xml.name === 'r' && xml.token === 'close') {
          meter.budget.countCells(row.length);
          writer.row(row);
          row = [];
          if (writer.full) yield item(writer, location, grid, meter);
        } else if (xml.token === 'open') {
          const index = xml.name === 'x' ? Number(xml.attribute('v')) : -1;
          if (row.length === MAX_COLUMNS) throw new CorruptInput('cell reference');
          if (index >= 0) row.push(cache.items[row.length]?.get(index) ?? '');
          else if (isItem(xml.name)) row.push(itemText(xml));
        }
      }
  } catch (error) {
    if (!writer.empty) yield item(writer, location, grid, meter);
    throw error;
  }
  if (!writer.empty) yield item(writer, location, grid, meter);
}

function item(writer: GridWriter, location: string, grid: Grid, meter: Meter): DocumentItem {
  const text = writer.take();
  meter.out += text.length;
  meter.budget.checkRatio(meter.out, meter.size);
  return { is: 'text', location, text, grid };
}

/** Missing, number, boolean, error, text, date: one letter each. */
function isItem(name: string): boolean {
  return name.length === 1 && 'mnbesd'.includes(name);
}

function itemText(xml: XmlTokens): string {
  const value = xml.attribute('v') ?? '';
  return xml.name === 'd' ? value.replace('T00:00:00', '').replace('T', ' ') : cellText(unescaped(value));
}
