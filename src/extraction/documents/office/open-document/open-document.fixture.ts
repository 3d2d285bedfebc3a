import { type Files, zipped } from '../office.fixture.ts';

const NAMESPACES = ['office', 'text', 'table', 'draw', 'presentation', 'style', 'meta', 'form', 'manifest']
  .map((name) => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`)
  .join(' ');

export const contentXml = (kind: string, inside: string): string =>
  `<office:document-content ${NAMESPACES} xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xlink="http://www.w3.org/1999/xlink" office:version="1.3"><office:scripts/><office:automatic-styles/><office:body><office:${kind}>${inside}</office:${kind}></office:body></office:document-content>`;

/** The parts that LibreOffice writes. `kind`: text, spreadsheet, presentation, drawing. */
export function openFiles(kind: string, inside: string, more: Files = {}): Files {
  return {
    mimetype: `application/vnd.oasis.opendocument.${kind}`,
    'content.xml': contentXml(kind, inside),
    'styles.xml': `<office:document-styles ${NAMESPACES}><office:master-styles/></office:document-styles>`,
    'meta.xml': `<office:document-meta ${NAMESPACES} xmlns:dc="x"><office:meta><meta:generator>LibreOffice/24.2</meta:generator><dc:creator>Ann Smith</dc:creator><meta:user-defined meta:name="Client" meta:value-type="string">Jane Doe</meta:user-defined><meta:document-statistic meta:word-count="12"/></office:meta></office:document-meta>`,
    'META-INF/manifest.xml': `<manifest:manifest ${NAMESPACES}><manifest:file-entry manifest:full-path="/" manifest:media-type="x"/><manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/></manifest:manifest>`,
    ...more,
  };
}

export const openDocument = (kind: string, inside: string, more: Files = {}): Buffer =>
  zipped(openFiles(kind, inside, more));

export const textCell = (text: string, attributes = ''): string =>
  `<table:table-cell table:style-name="ce1" office:value-type="string" ${attributes}><text:p>${text}</text:p></table:table-cell>`;

export const numberCell = (value: string, shown: string): string =>
  `<table:table-cell office:value-type="float" office:value="${value}"><text:p>${shown}</text:p></table:table-cell>`;

export const sheetTable = (name: string, rows: string): string =>
  `<table:table table:name="${name}" table:style-name="ta1"><table:table-column table:number-columns-repeated="16384"/>${rows}</table:table>`;

export const tableRow = (cells: string, attributes = ''): string =>
  `<table:table-row table:style-name="ro1" ${attributes}>${cells}</table:table-row>`;
