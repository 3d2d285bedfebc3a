import type { ZipMember } from '../../archives/zip-directory.ts';
import type { Budget } from '../../budget.ts';
import { Unsupported } from '../../obstacle.ts';
import type { Piece, RandomAccess, ReadingOptions } from '../../piece.ts';
import type { Meter } from '../sheets/sheet-rows.ts';
import { runsOf } from './drawn-text.ts';
import { embeddedEntries } from './embedded.ts';
import { readSheet } from './excel-sheet.ts';
import { OfficePackage } from './package.ts';
import { Parts, textOf } from './parts.ts';
import { fillPivotCache, type PivotCache, pivotRecords } from './pivot-cache.ts';
import { AttributeText, propertiesOf } from './properties.ts';
import { partsOf } from './relations.ts';
import { referencesOf, sheetsOf } from './workbook.ts';

/** Workbooks since 2007: sheet by sheet in their order, hidden ones too, then what was copied from other places. */
export async function* readExcel(
  input: RandomAccess,
  budget: Budget,
  options: ReadingOptions,
): AsyncGenerator<Piece> {
  const office = await OfficePackage.open(input, budget);
  const parts = new Parts(office.zip);
  const main = await mainOf(office);
  const relations = await parts.optional(office.relations(main.name), []);
  const { sheets, from1904 } = await sheetsOf(main, relations, parts);
  const references = await referencesOf(office, parts, relations, from1904);
  const meter: Meter = { budget, size: input.size, out: 0 };
  for (const [target, name] of sheets)
    yield* parts.read(target, (part) => readSheet({ office, parts, references, meter, name }, part));
  const names = new Set(sheets.values());
  for (const target of partsOf(relations, 'pivotCacheDefinition'))
    yield* parts.read(target, (part) => readPivotCache(office, parts, part, names, meter));
  for (const target of partsOf(relations, 'externalLink'))
    yield* parts.read(target, (part) => runsOf(office, parts, part, 'external links', ['v']));
  for (const target of partsOf(relations, 'person', 'connections'))
    yield* parts.read(target, (part) => textOf(part, new AttributeText()));
  yield* propertiesOf(office, parts);
  yield* embeddedEntries(office.zip.members, budget, options);
  if (office.zip.find('xl/model/item.data') !== null) parts.note(new Unsupported('Excel data model'));
  parts.finish();
}

async function mainOf(office: OfficePackage): Promise<ZipMember> {
  if (office.zip.find('xl/workbook.bin') !== null) throw new Unsupported('Excel binary workbook');
  return office.main('xl/workbook.xml');
}

/** Only if the sheet that it was copied from is not here: what stands there is not told twice. */
async function* readPivotCache(
  office: OfficePackage,
  parts: Parts,
  definition: ZipMember,
  sheets: ReadonlySet<string>,
  meter: Meter,
): AsyncGenerator<Piece> {
  const cache: PivotCache = { names: [], items: [], sheet: null };
  await parts.optional(fillPivotCache(cache, definition));
  if (cache.sheet !== null && sheets.has(cache.sheet)) return;
  const relations = await parts.optional(office.relations(definition.name), []);
  for (const target of partsOf(relations, 'pivotCacheRecords'))
    yield* parts.read(target, (part) => pivotRecords(cache, part, 'pivot cache', meter));
}
