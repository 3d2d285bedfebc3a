import type { ZipMember } from '../../../archives/zip/zip-directory.ts';
import { NumberText } from '../../sheets/number-text.ts';
import { xmlTokens } from '../../xml/xml-tokens.ts';
import type { OfficePackage } from '../package/office-package.ts';
import type { Parts } from '../package/parts.ts';
import { partsOf, type Relation } from '../package/relations.ts';
import { isBinary } from './binary/binary-records.ts';
import { fillBinaryStrings, fillBinaryStyles } from './binary/binary-references.ts';
import { fillBinaryList } from './binary/binary-workbook.ts';
import { fillSharedStrings, SharedStrings } from './shared-strings.ts';
import { SheetList } from './sheet-list.ts';
import type { CellReferences } from './sheet-texts.ts';
import { CellFormats, fillStyles } from './workbook-styles.ts';

export async function sheetsOf(
  main: ZipMember,
  relations: readonly Relation[],
  parts: Parts,
): Promise<SheetList> {
  const list = new SheetList(relations, parts);
  await parts.optional(isBinary(main) ? fillBinaryList(list, main) : fillList(list, main));
  list.addOthers();
  return list;
}

async function fillList(list: SheetList, main: ZipMember): Promise<void> {
  for await (const xml of xmlTokens(main.bytes()))
    while (xml.next()) {
      if (xml.token !== 'open') continue;
      if (xml.name === 'workbookPr') list.from1904 = /^(1|true)$/.test(xml.attribute('date1904') ?? '');
      if (xml.name === 'sheet') list.add(xml.prefixedAttribute('id') ?? '', xml.attribute('name'));
    }
}

/** What the cells of all sheets refer to. Without it there still are cells that need nothing. */
export async function referencesOf(
  office: OfficePackage,
  parts: Parts,
  relations: readonly Relation[],
  from1904: boolean,
): Promise<CellReferences> {
  const strings = new SharedStrings();
  const texts = office.zip.find(partsOf(relations, 'sharedStrings')[0] ?? 'xl/sharedStrings.xml');
  if (texts !== null)
    await parts.optional((isBinary(texts) ? fillBinaryStrings : fillSharedStrings)(strings, texts));
  const formats = new CellFormats();
  const styles = office.zip.find(partsOf(relations, 'styles')[0] ?? 'xl/styles.xml');
  if (styles !== null)
    await parts.optional((isBinary(styles) ? fillBinaryStyles : fillStyles)(formats, styles));
  return { strings, formats: formats.all, numbers: new NumberText(from1904) };
}
