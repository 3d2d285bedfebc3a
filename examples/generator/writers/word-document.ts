/** Documents of Word: paragraphs, tables, and what people forget: comments, footnotes, struck-out text, the header. */
import { officePackage, type Part, type Properties, partType, type Relation } from './office-package.ts';
import { each, escaped } from './xml.ts';

export type Block =
  | string
  | { readonly heading: string }
  | { readonly table: readonly (readonly string[])[] }
  | { readonly text: string; readonly comment: string; readonly by: string }
  | { readonly text: string; readonly footnote: string }
  | { readonly text: string; readonly struck: string; readonly by: string };

export interface WordDocument {
  readonly title: string;
  readonly author: string;
  readonly header: string;
  readonly blocks: readonly Block[];
}

const SCHEMAS = 'http://schemas.openxmlformats.org';
const NAMES = `xmlns:w="${SCHEMAS}/wordprocessingml/2006/main" xmlns:r="${SCHEMAS}/officeDocument/2006/relationships"`;
const WHEN = 'w:date="2024-03-05T09:12:00Z"';
const TYPE = 'wordprocessingml';

export function wordDocument({ title, author, header, blocks }: WordDocument): Buffer {
  const numbered = blocks.map((block, id) => ({ block, id: id + 1 }));
  const relations: Relation[] = SIDE_PARTS.map((name) => ({
    id: `r_${name}`,
    type: name.replace(/\d$/, ''),
    target: `${name}.xml`,
  }));
  const page =
    '<w:sectPr><w:headerReference w:type="default" r:id="r_header1"/><w:pgSz w:w="12240" w:h="15840"/>' +
    '<w:pgMar w:top="1440" w:right="1440" w:bottom="1440" w:left="1440" w:header="720" w:footer="720" w:gutter="0"/></w:sectPr>';
  const body = each(numbered, ({ block, id }) => blockXml(block, id)) + page;
  const parts: Part[] = [
    {
      path: 'word/document.xml',
      type: partType(TYPE, 'document.main'),
      xml: `<w:document ${NAMES}><w:body>${body}</w:body></w:document>`,
      relations,
    },
    side('styles', 'styles', STYLES),
    side('header1', 'hdr', paragraph(header, 'Header')),
    side('comments', 'comments', each(numbered, commentXml)),
    side('footnotes', 'footnotes', SEPARATORS + each(numbered, footnoteXml)),
  ];
  const properties: Properties = { title, author, program: 'Microsoft Office Word' };
  return officePackage(parts, properties);
}

const SIDE_PARTS = ['styles', 'header1', 'comments', 'footnotes'];
const SEPARATORS =
  '<w:footnote w:type="separator" w:id="-1"><w:p><w:r><w:separator/></w:r></w:p></w:footnote>' +
  '<w:footnote w:type="continuationSeparator" w:id="0"><w:p><w:r><w:continuationSeparator/></w:r></w:p></w:footnote>';
const style = (id: string, more: string) =>
  `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${id.toLowerCase()}"/><w:basedOn w:val="Normal"/>${more}</w:style>`;
const STYLES =
  '<w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/></w:style>' +
  style('Heading1', '<w:rPr><w:b/><w:sz w:val="32"/></w:rPr>') +
  style('Header', '') +
  style('FootnoteText', '') +
  style('CommentText', '');

function side(name: string, root: string, inside: string): Part {
  const type = partType(TYPE, name.replace(/\d$/, ''));
  return { path: `word/${name}.xml`, type, xml: `<w:${root} ${NAMES}>${inside}</w:${root}>` };
}

interface Numbered {
  readonly block: Block;
  readonly id: number;
}

function blockXml(block: Block, id: number): string {
  if (typeof block === 'string') return paragraph(block);
  if ('heading' in block) return paragraph(block.heading, 'Heading1');
  if ('table' in block) return tableXml(block.table);
  if ('comment' in block)
    return paragraphOf(
      `<w:commentRangeStart w:id="${id}"/>${runs(block.text)}<w:commentRangeEnd w:id="${id}"/><w:r><w:commentReference w:id="${id}"/></w:r>`,
    );
  if ('footnote' in block)
    return paragraphOf(`${runs(block.text)}<w:r><w:footnoteReference w:id="${id}"/></w:r>`);
  const gone = `<w:r><w:delText xml:space="preserve">${escaped(block.struck)}</w:delText></w:r>`;
  const by = `w:author="${escaped(block.by)}"`;
  return paragraphOf(`${runs(block.text)}<w:del w:id="${id}" ${by} ${WHEN}>${gone}</w:del>`);
}

function paragraph(text: string, styleId?: string): string {
  return paragraphOf(runs(text), styleId);
}

function paragraphOf(inside: string, styleId?: string): string {
  const properties = styleId === undefined ? '' : `<w:pPr><w:pStyle w:val="${styleId}"/></w:pPr>`;
  return `<w:p w:rsidR="00A41974" w:rsidRDefault="00A41974">${properties}${inside}</w:p>`;
}

/** Word splits a text into runs wherever typing was interrupted; a number may be split, too. */
function runs(text: string): string {
  const cut = text.length >> 1;
  const parts = [text.slice(0, cut), text.slice(cut)].filter((part) => part !== '');
  return each(parts, (part, n) => {
    const typed = n === 0 ? '' : ' w:rsidRPr="00B52085"';
    return `<w:r${typed}><w:t xml:space="preserve">${escaped(part)}</w:t></w:r>`;
  });
}

function tableXml(rows: readonly (readonly string[])[]): string {
  const columns = each(rows[0] ?? [], () => '<w:gridCol w:w="2400"/>');
  const cell = (text: string) =>
    `<w:tc><w:tcPr><w:tcW w:w="2400" w:type="dxa"/></w:tcPr>${paragraph(text)}</w:tc>`;
  const lines = each(rows, (row) => `<w:tr>${each(row, cell)}</w:tr>`);
  return `<w:tbl><w:tblPr><w:tblW w:w="0" w:type="auto"/></w:tblPr><w:tblGrid>${columns}</w:tblGrid>${lines}</w:tbl>${paragraphOf('')}`;
}

function commentXml({ block, id }: Numbered): string {
  if (typeof block === 'string' || !('comment' in block)) return '';
  const by = `w:author="${escaped(block.by)}" w:initials="${initials(block.by)}"`;
  return `<w:comment w:id="${id}" ${by} ${WHEN}>${paragraph(block.comment, 'CommentText')}</w:comment>`;
}

function footnoteXml({ block, id }: Numbered): string {
  if (typeof block === 'string' || !('footnote' in block)) return '';
  return `<w:footnote w:id="${id}">${paragraph(block.footnote, 'FootnoteText')}</w:footnote>`;
}

function initials(name: string): string {
  return escaped(name.replace(/(\w)\w*\s*/g, '$1'));
}
