/**
 * Workbooks since Excel 2007 (.xlsx, .xlsm, .xlsb).
 *
 * Format: ECMA-376 Part 1, section 18 (SpreadsheetML); [MS-XLSB] for binary parts.
 *
 * No library: SheetJS on npm (0.18.5) is out of date with known vulnerabilities; officeparser and read-excel-file build the whole
 * sheet in memory. Rows are streamed here.
 */
import type { ZipMember } from '../../../archives/zip/zip-directory.ts';
import type { ExtractionBudget } from '../../../budget/extraction-budget.ts';
import type { DocumentItem, RandomAccess, ReadingOptions } from '../../../document-item.ts';
import { Unsupported } from '../../../extraction-error.ts';
import { longer } from '../../sheets/cell-value.ts';
import type { Meter } from '../../sheets/sheet-rows.ts';
import type { XmlTokens } from '../../xml/xml-tokens.ts';
import { embeddedEntries } from '../package/embedded.ts';
import { OfficePackage } from '../package/office-package.ts';
import { Parts, type PartText, textOf } from '../package/parts.ts';
import { AttributeText, propertiesOf } from '../package/properties.ts';
import { partsOf } from '../package/relations.ts';
import { runsOf } from '../text/drawing-text.ts';
import { TextFlow } from '../text/text-flow.ts';
import { binaryConnections } from './binary/binary-connections.ts';
import { binaryExternalLink } from './binary/binary-external-link.ts';
import { binaryCacheSource } from './binary/binary-pivot-cache.ts';
import { isBinary } from './binary/binary-records.ts';
import { binaryNames } from './binary/binary-workbook.ts';
import { personsOf } from './comment-authors.ts';
import { readSheet } from './excel-sheet.ts';
import { literalOf } from './formula-literal.ts';
import { fillPivotCache, type PivotCache, pivotRecords } from './pivot-cache.ts';
import { referencesOf, sheetsOf } from './workbook.ts';

/** Workbooks since Excel 2007: the sheets in order, including hidden ones, then pivot caches. */
export async function* readExcel(
  input: RandomAccess,
  budget: ExtractionBudget,
  options: ReadingOptions,
): AsyncGenerator<DocumentItem> {
  const office = await OfficePackage.open(input, budget);
  const parts = new Parts(office.zip);
  const main = await office.main('xl/workbook.xml', 'xl/workbook.bin');
  const relations = await parts.optional(office.relations(main.name), []);
  const { sheets, from1904 } = await sheetsOf(main, relations, parts);
  const references = await referencesOf(office, parts, relations, from1904);
  const meter: Meter = { budget, size: input.size, out: 0 };
  const names = new Set(sheets.values());
  const persons = await personsOf(office, parts, relations);
  const book = { office, parts, references, meter, sheets: names, persons };
  for (const [target, name] of sheets)
    yield* parts.read(target, (part) => readSheet({ ...book, name }, part));
  yield* parts.read(main.name, namesOf);
  for (const target of partsOf(relations, 'pivotCacheDefinition'))
    yield* parts.read(target, (part) => readPivotCache(office, parts, part, names, meter));
  for (const target of partsOf(relations, 'externalLink'))
    yield* parts.read(target, (part) => externalLinkOf(office, parts, part));
  for (const target of partsOf(relations, 'person', 'connections')) yield* parts.read(target, attributesOf);
  yield* propertiesOf(office, parts);
  yield* embeddedEntries(office.zip.members, budget, options);
  if (office.zip.find('xl/model/item.data') !== null) parts.record(new Unsupported('Excel data model'));
  parts.throwFirst();
}

function namesOf(main: ZipMember): AsyncGenerator<DocumentItem> {
  return isBinary(main) ? binaryNames(main) : textOf(main, new DefinedNames());
}

function externalLinkOf(office: OfficePackage, parts: Parts, part: ZipMember): AsyncGenerator<DocumentItem> {
  const location = 'external links';
  return isBinary(part) ? binaryExternalLink(part, location) : runsOf(office, parts, part, location, ['v']);
}

function attributesOf(part: ZipMember): AsyncGenerator<DocumentItem> {
  return isBinary(part) ? binaryConnections(part) : textOf(part, new AttributeText());
}

/** Only if its source sheet is missing, so that nothing is reported twice. */
async function* readPivotCache(
  office: OfficePackage,
  parts: Parts,
  definition: ZipMember,
  sheets: ReadonlySet<string>,
  meter: Meter,
): AsyncGenerator<DocumentItem> {
  const cache: PivotCache = { names: [], items: [], sheet: null };
  const binary = isBinary(definition);
  await parts.optional((binary ? binaryCacheSource : fillPivotCache)(cache, definition));
  if (cache.sheet !== null && sheets.has(cache.sheet)) return;
  if (binary) throw new Unsupported('pivot cache of a binary workbook');
  const relations = await parts.optional(office.relations(definition.name), []);
  for (const target of partsOf(relations, 'pivotCacheRecords'))
    yield* parts.read(target, (part) => pivotRecords(cache, part, 'pivot cache', meter));
}

/** Names of a workbook defined as a value, and comments on names. */
class DefinedNames implements PartText {
  readonly flow = new TextFlow('names');
  #name: string | null = null;
  #formula = '';

  take(xml: XmlTokens): void {
    if (xml.token === 'text') {
      if (this.#name !== null) this.#formula = longer(this.#formula, xml.text);
    } else if (xml.name === 'definedName') {
      if (xml.token === 'open') this.#begin(xml);
      else this.#end();
    }
  }

  #begin(xml: XmlTokens): void {
    this.#name = xml.attribute('name') ?? '';
    this.#formula = '';
    const comment = xml.attribute('comment') ?? '';
    if (comment !== '') this.flow.writeLine(`${this.#name}: ${comment}`);
  }

  #end(): void {
    const value = literalOf(this.#formula) ?? '';
    if (value !== '') this.flow.writeLine(`${this.#name}: ${value}`);
    this.#name = null;
  }
}
