import type { ZipMember } from '../../archives/zip-directory.ts';
import { Damage } from '../../obstacle.ts';
import { sheetPlace } from '../sheets/cell-value.ts';
import { NumberText } from '../sheets/number-text.ts';
import { xmlTokens } from '../xml/xml-tokens.ts';
import type { OfficePackage } from './package.ts';
import type { Parts } from './parts.ts';
import { partsOf, type Relation } from './relations.ts';
import { fillSharedStrings, SharedStrings } from './shared-strings.ts';
import type { CellReferences } from './sheet-cells.ts';
import { readStyles } from './workbook-styles.ts';

const SHEETS = ['worksheet', 'chartsheet', 'dialogsheet', 'xlMacrosheet', 'xlIntlMacrosheet'];

/** The sheets' parts with their names, in order; last those that only are there. */
export async function sheetsOf(
  main: ZipMember,
  relations: readonly Relation[],
  parts: Parts,
): Promise<{ sheets: ReadonlyMap<string, string>; from1904: boolean }> {
  const targets = new Map(relations.map(({ id, target }) => [id, target]));
  const sheets = new Map<string, string>();
  let from1904 = false;
  try {
    for await (const xml of xmlTokens(main.bytes()))
      while (xml.next()) {
        if (xml.token !== 'open') continue;
        if (xml.name === 'workbookPr') from1904 = /^(1|true)$/.test(xml.attribute('date1904') ?? '');
        if (xml.name !== 'sheet') continue;
        const target = targets.get(xml.prefixedAttribute('id') ?? '');
        if (target === undefined) parts.note(new Damage('missing part'));
        else if (!sheets.has(target)) sheets.set(target, sheetPlace(xml.attribute('name')));
      }
  } catch (error) {
    parts.note(error);
  }
  for (const target of partsOf(relations, ...SHEETS))
    if (!sheets.has(target)) sheets.set(target, sheetPlace(target.slice(target.lastIndexOf('/') + 1)));
  return { sheets, from1904 };
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
  if (texts !== null) await parts.optional(fillSharedStrings(strings, texts));
  const styles = office.zip.find(partsOf(relations, 'styles')[0] ?? 'xl/styles.xml');
  const formats = styles === null ? [] : await parts.optional(readStyles(styles), []);
  return { strings, formats, numbers: new NumberText(from1904) };
}
