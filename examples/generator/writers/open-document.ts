/** OpenDocument files: the entry `mimetype` first and uncompressed, then the content. */
import { each, escaped } from './xml.ts';
import { zip } from './zip.ts';

export type OpenBlock =
  | string
  | { readonly heading: string }
  | { readonly text: string; readonly remark: string; readonly by: string };

export interface OpenText {
  readonly title: string;
  readonly author: string;
  readonly blocks: readonly OpenBlock[];
}

export interface OpenSheet {
  readonly name: string;
  readonly rows: readonly (readonly (string | number | null)[])[];
}

export interface OpenSpreadsheet {
  readonly title: string;
  readonly author: string;
  readonly sheets: readonly OpenSheet[];
}

const NAMES = ['office', 'text', 'table', 'style', 'meta', 'manifest']
  .map((name) => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`)
  .join(' ')
  .concat(' xmlns:dc="http://purl.org/dc/elements/1.1/" office:version="1.3"');
const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n';
const WRITTEN = '2024-03-05T09:12:00';

export function openText({ title, author, blocks }: OpenText): Buffer {
  return openDocument('text', each(blocks, blockXml), title, author);
}

export function openSpreadsheet({ title, author, sheets }: OpenSpreadsheet): Buffer {
  return openDocument('spreadsheet', each(sheets, sheetXml), title, author);
}

function openDocument(kind: string, inside: string, title: string, author: string): Buffer {
  const type = `application/vnd.oasis.opendocument.${kind}`;
  const paths = ['content.xml', 'styles.xml', 'meta.xml'];
  const entries =
    `<manifest:file-entry manifest:full-path="/" manifest:version="1.3" manifest:media-type="${type}"/>` +
    each(
      paths,
      (path) => `<manifest:file-entry manifest:full-path="${path}" manifest:media-type="text/xml"/>`,
    );
  const meta =
    `<meta:generator>LibreOffice/7.6.4.1$Linux_X86_64</meta:generator><dc:title>${escaped(title)}</dc:title>` +
    `<meta:initial-creator>${escaped(author)}</meta:initial-creator><dc:creator>${escaped(author)}</dc:creator><dc:date>${WRITTEN}</dc:date>`;
  return zip({
    mimetype: type,
    'content.xml': `${DECLARATION}<office:document-content ${NAMES}><office:scripts/><office:font-face-decls/><office:automatic-styles/><office:body><office:${kind}>${inside}</office:${kind}></office:body></office:document-content>`,
    'styles.xml': `${DECLARATION}<office:document-styles ${NAMES}><office:styles><style:style style:name="Standard" style:family="paragraph"/><style:style style:name="Heading_20_1" style:display-name="Heading 1" style:family="paragraph"/></office:styles></office:document-styles>`,
    'meta.xml': `${DECLARATION}<office:document-meta ${NAMES}><office:meta>${meta}</office:meta></office:document-meta>`,
    'META-INF/manifest.xml': `${DECLARATION}<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0" manifest:version="1.3">${entries}</manifest:manifest>`,
  });
}

function blockXml(block: OpenBlock): string {
  if (typeof block === 'string') return `<text:p text:style-name="Standard">${lines(block)}</text:p>`;
  if ('heading' in block)
    return `<text:h text:style-name="Heading_20_1" text:outline-level="1">${lines(block.heading)}</text:h>`;
  const remark = `<office:annotation><dc:creator>${escaped(block.by)}</dc:creator><dc:date>${WRITTEN}</dc:date><text:p>${lines(block.remark)}</text:p></office:annotation>`;
  return `<text:p text:style-name="Standard">${lines(block.text)}${remark}</text:p>`;
}

/** More than one space, and the end of a line, are elements. */
function lines(text: string): string {
  return escaped(text)
    .replaceAll('\n', '<text:line-break/>')
    .replace(/ ( +)/g, (_, more: string) => ` <text:s text:c="${more.length}"/>`);
}

/** Behind the last row, all the others, as empty ones repeated a million times. */
function sheetXml({ name, rows }: OpenSheet): string {
  const width = Math.max(...rows.map((row) => row.length));
  const rest = `<table:table-row table:number-rows-repeated="${1_048_576 - rows.length}"><table:table-cell table:number-columns-repeated="16384"/></table:table-row>`;
  const written = each(rows, (row) => `<table:table-row>${each(row, cellXml)}</table:table-row>`);
  return `<table:table table:name="${escaped(name)}"><table:table-column table:number-columns-repeated="${width}"/>${written}${rest}</table:table>`;
}

function cellXml(cell: string | number | null): string {
  if (cell === null) return '<table:table-cell/>';
  if (typeof cell === 'number')
    return `<table:table-cell office:value-type="float" office:value="${cell}"><text:p>${cell.toFixed(2)}</text:p></table:table-cell>`;
  return `<table:table-cell office:value-type="string"><text:p>${lines(cell)}</text:p></table:table-cell>`;
}
