/** Office documents that are one XML file, as LibreOffice, Word and Excel write them. */
const OPEN = ['office', 'text', 'table', 'draw', 'style', 'meta', 'form']
  .map((name) => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`)
  .join(' ');
const WORD = [
  'xmlns:w="http://schemas.microsoft.com/office/word/2003/wordml"',
  'xmlns:aml="http://schemas.microsoft.com/aml/2001/core"',
  'xmlns:o="urn:schemas-microsoft-com:office:office"',
].join(' ');
const SHEET = [
  'xmlns="urn:schemas-microsoft-com:office:spreadsheet"',
  'xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet"',
  'xmlns:o="urn:schemas-microsoft-com:office:office"',
  'xmlns:x="urn:schemas-microsoft-com:office:excel"',
].join(' ');
const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n';

/** `kind`: text, spreadsheet, presentation, drawing; `more`: other sections. */
export const flatOpen = (kind: string, inside: string, more = ''): string =>
  `${DECLARATION}<office:document ${OPEN} xmlns:dc="http://purl.org/dc/elements/1.1/" office:mimetype="application/vnd.oasis.opendocument.${kind}">` +
  `<office:meta><dc:creator>Ann Smith</dc:creator></office:meta>${more}<office:body><office:${kind}>${inside}</office:${kind}></office:body></office:document>`;

export const flatWord = (inside: string): string =>
  `${DECLARATION}<?mso-application progid="Word.Document"?>\n<w:wordDocument ${WORD}><o:DocumentProperties><o:Author>Ann Smith</o:Author><o:Words>12</o:Words></o:DocumentProperties>` +
  `<w:fonts><w:defaultFonts w:ascii="Arial"/></w:fonts><w:body>${inside}</w:body></w:wordDocument>`;

export const wordRuns = (...texts: readonly string[]): string =>
  `<w:p><w:pPr><w:tabs><w:tab w:val="left"/></w:tabs></w:pPr>${texts.map((text) => `<w:r><w:rPr><w:b/></w:rPr><w:t>${text}</w:t></w:r>`).join('')}</w:p>`;

/** Sheets by their names. */
export const flatWorkbook = (sheets: Readonly<Record<string, string>>): string =>
  `${DECLARATION}<?mso-application progid="Excel.Sheet"?><Workbook ${SHEET}><o:DocumentProperties><o:Author>Ann Smith</o:Author></o:DocumentProperties>` +
  `<Styles><Style ss:ID="s1"/></Styles>${Object.entries(sheets)
    .map(([name, rows]) => `<Worksheet ss:Name="${name}"><Table>${rows}</Table></Worksheet>`)
    .join('')}</Workbook>`;

export const flatRow = (...cells: readonly string[]): string => `<Row>${cells.join('')}</Row>`;

export const flatCell = (value: string, type = 'String', attributes = ''): string =>
  `<Cell ${attributes}><Data ss:Type="${type}">${value}</Data></Cell>`;
