import { type Files, relations, zipped } from '../office.fixture.ts';

const S =
  'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" ' +
  'xmlns:x14ac="http://schemas.microsoft.com/office/spreadsheetml/2009/9/ac"';

export const STYLES = `<styleSheet ${S}><numFmts count="3"><numFmt numFmtId="164" formatCode="dd\\.mm\\.yyyy"/><numFmt numFmtId="165" formatCode="000\\-00\\-0000"/><numFmt numFmtId="166" formatCode="yyyy\\-mm\\-dd\\ hh:mm"/></numFmts><cellStyleXfs count="1"><xf numFmtId="14"/></cellStyleXfs><cellXfs count="6"><xf numFmtId="0" fontId="0"/><xf numFmtId="14" applyNumberFormat="1"/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="166"/><xf numFmtId="20"/></cellXfs></styleSheet>`;

/** A row of cells as Excel writes them; `undefined` leaves a cell out. Texts are shared. */
export function rowXml(
  number: number,
  cells: readonly (string | number | undefined)[],
  strings: string[],
): string {
  const each = cells.map((cell, column) => {
    if (cell === undefined) return '';
    const reference = `${String.fromCharCode(65 + column)}${number}`;
    if (typeof cell === 'number') return `<c r="${reference}"><v>${cell}</v></c>`;
    if (cell.startsWith('<')) return cell;
    strings.push(cell);
    return `<c r="${reference}" s="0" t="s"><v>${strings.length - 1}</v></c>`;
  });
  return `<row r="${number}" spans="1:${cells.length}" x14ac:dyDescent="0.25">${each.join('')}</row>`;
}

export const sheetXml = (rows: string, after = ''): string =>
  `<worksheet ${S}><dimension ref="A1:C3"/><sheetViews><sheetView workbookViewId="0"/></sheetViews><sheetData>${rows}</sheetData>${after}</worksheet>`;

/** Sheets by their names; their files are numbered in this order. */
export function excelFiles(
  sheets: Readonly<Record<string, string>>,
  strings: readonly string[],
  more: Files = {},
): Files {
  const names = Object.keys(sheets);
  const shared = strings.map((text) => (text.startsWith('<') ? text : `<t xml:space="preserve">${text}</t>`));
  return {
    '[Content_Types].xml': '<Types/>',
    '_rels/.rels': relations({ rId1: ['officeDocument', 'xl/workbook.xml'] }),
    'xl/workbook.xml': `<workbook ${S}><workbookPr defaultThemeVersion="124226"/><sheets>${names
      .map((name, i) => `<sheet name="${name}" sheetId="${i + 1}" state="hidden" r:id="rId${i + 1}"/>`)
      .join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations({
      ...Object.fromEntries(
        names.map((_, i) => [`rId${i + 1}`, ['worksheet', `worksheets/sheet${i + 1}.xml`]]),
      ),
      rId101: ['sharedStrings', 'sharedStrings.xml'],
      rId102: ['styles', 'styles.xml'],
    }),
    ...Object.fromEntries(names.map((name, i) => [`xl/worksheets/sheet${i + 1}.xml`, sheets[name]!])),
    'xl/sharedStrings.xml': `<sst ${S} count="9" uniqueCount="9">${shared.map((text) => `<si>${text}</si>`).join('')}</sst>`,
    'xl/styles.xml': STYLES,
    ...more,
  };
}

export const excel = (
  sheets: Readonly<Record<string, string>>,
  strings: readonly string[] = [],
  more: Files = {},
): Buffer => zipped(excelFiles(sheets, strings, more));

/** One sheet of these rows, the first in row 1. */
export function workbookOf(
  rows: readonly (readonly (string | number | undefined)[])[],
  more: Files = {},
): Buffer {
  const strings: string[] = [];
  const xml = rows.map((cells, i) => rowXml(i + 1, cells, strings)).join('');
  return excel({ Sheet1: sheetXml(xml) }, strings, more);
}
