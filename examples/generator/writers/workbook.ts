/** Workbooks of Excel: shared texts, numbers that only their format makes a date or a social security number, notes. */
import { officePackage, type Part, partType } from './office-package.ts';
import { noteParts } from './workbook-notes.ts';
import { each, escaped } from './xml.ts';

/** A day or a number in three groups is kept as a number, with a format. */
export type Cell = string | number | null | { readonly day: string } | { readonly grouped: string };

export interface Sheet {
  readonly name: string;
  readonly hidden?: boolean;
  readonly widths: readonly number[];
  /** From row 1; an empty one is left out. */
  readonly rows: readonly (readonly Cell[])[];
  readonly note?: { readonly cell: string; readonly by: string; readonly text: string };
}

export interface Workbook {
  readonly title: string;
  readonly author: string;
  readonly sheets: readonly Sheet[];
}

const SCHEMAS = 'http://schemas.openxmlformats.org';
const NAMES = `xmlns="${SCHEMAS}/spreadsheetml/2006/main" xmlns:r="${SCHEMAS}/officeDocument/2006/relationships"`;
const TYPE = 'spreadsheetml';
const [DAY, GROUPED] = [1, 2];

export function workbook({ title, author, sheets }: Workbook): Buffer {
  const shared = new SharedTexts();
  const pages = sheets.flatMap((sheet, n) => sheetParts(sheet, n + 1, shared));
  const book: Part = {
    path: 'xl/workbook.xml',
    type: partType(TYPE, 'sheet.main'),
    xml: `<workbook ${NAMES}><workbookPr defaultThemeVersion="166925"/><bookViews><workbookView xWindow="0" yWindow="0" windowWidth="22260" windowHeight="12645"/></bookViews><sheets>${each(sheets, sheetEntry)}</sheets><calcPr calcId="191029"/></workbook>`,
    relations: [
      ...sheets.map((_, n) => ({
        id: `rId${n + 1}`,
        type: 'worksheet',
        target: `worksheets/sheet${n + 1}.xml`,
      })),
      { id: 'rId101', type: 'styles', target: 'styles.xml' },
      { id: 'rId102', type: 'sharedStrings', target: 'sharedStrings.xml' },
    ],
  };
  const styles: Part = { path: 'xl/styles.xml', type: partType(TYPE, 'styles'), xml: STYLES };
  const texts: Part = {
    path: 'xl/sharedStrings.xml',
    type: partType(TYPE, 'sharedStrings'),
    xml: shared.xml,
  };
  return officePackage([book, ...pages, styles, texts], { title, author, program: 'Microsoft Excel' });
}

const STYLES =
  `<styleSheet ${NAMES}><numFmts count="2"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/><numFmt numFmtId="165" formatCode="000\\-00\\-0000"/></numFmts>` +
  '<fonts count="1"><font><sz val="11"/><name val="Calibri"/></font></fonts>' +
  '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>' +
  '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
  '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
  '<cellXfs count="3"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="165" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs>' +
  '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>';

function sheetEntry({ name, hidden }: Sheet, n: number): string {
  const state = hidden === true ? ' state="hidden"' : '';
  return `<sheet name="${escaped(name)}" sheetId="${n + 1}"${state} r:id="rId${n + 1}"/>`;
}

function sheetParts({ rows, widths, note }: Sheet, number: number, shared: SharedTexts): Part[] {
  const columns = each(
    widths,
    (width, n) => `<col min="${n + 1}" max="${n + 1}" width="${width}" customWidth="1"/>`,
  );
  const lines = each(rows, (cells, n) => rowXml(cells, n + 1, shared));
  const last = `${letter(Math.max(...rows.map((row) => row.length)) - 1)}${rows.length}`;
  const drawing = note === undefined ? '' : '<legacyDrawing r:id="rId1"/>';
  const xml =
    `<worksheet ${NAMES}><dimension ref="A1:${last}"/><sheetViews><sheetView workbookViewId="0"/></sheetViews>` +
    `<sheetFormatPr defaultRowHeight="15"/><cols>${columns}</cols><sheetData>${lines}</sheetData>` +
    `<pageMargins left="0.7" right="0.7" top="0.75" bottom="0.75" header="0.3" footer="0.3"/>${drawing}</worksheet>`;
  const page = { path: `xl/worksheets/sheet${number}.xml`, type: partType(TYPE, 'worksheet'), xml };
  if (note === undefined) return [page];
  const { parts, relations } = noteParts(note, number);
  return [{ ...page, relations }, ...parts];
}

function rowXml(cells: readonly Cell[], row: number, shared: SharedTexts): string {
  if (cells.length === 0) return '';
  const written = each(cells, (cell, column) => cellXml(cell, `${letter(column)}${row}`, shared));
  return `<row r="${row}" spans="1:${cells.length}">${written}</row>`;
}

function cellXml(cell: Cell, at: string, shared: SharedTexts): string {
  if (cell === null) return '';
  if (typeof cell === 'string') return `<c r="${at}" t="s"><v>${shared.numberOf(cell)}</v></c>`;
  if (typeof cell === 'number') return `<c r="${at}"><v>${cell}</v></c>`;
  if ('day' in cell) return `<c r="${at}" s="${DAY}"><v>${serial(cell.day)}</v></c>`;
  return `<c r="${at}" s="${GROUPED}"><v>${Number(cell.grouped.replaceAll('-', ''))}</v></c>`;
}

const letter = (column: number) => String.fromCharCode(65 + column);

/** Days since the last one of 1899. */
function serial(day: string): number {
  return (Date.parse(day) - Date.UTC(1899, 11, 30)) / 86_400_000;
}

class SharedTexts {
  readonly #numbers = new Map<string, number>();
  #uses = 0;

  numberOf(text: string): number {
    this.#uses++;
    const number = this.#numbers.get(text) ?? this.#numbers.size;
    this.#numbers.set(text, number);
    return number;
  }

  get xml(): string {
    const texts = each(
      [...this.#numbers.keys()],
      (text) => `<si><t xml:space="preserve">${escaped(text)}</t></si>`,
    );
    return `<sst ${NAMES} count="${this.#uses}" uniqueCount="${this.#numbers.size}">${texts}</sst>`;
  }
}
