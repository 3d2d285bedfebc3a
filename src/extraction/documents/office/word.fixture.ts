import { type Files, relations, zipped } from './office.fixture.ts';

const W =
  'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" ' +
  'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml" ' +
  'xmlns:w15="http://schemas.microsoft.com/office/word/2012/wordml" mc:Ignorable="w14 w15"';

export const paragraph = (text: string): string =>
  `<w:p w14:paraId="1A2B3C4D" w:rsidR="00AB12CD"><w:pPr><w:pStyle w:val="Normal"/></w:pPr><w:r><w:rPr><w:lang w:val="en-GB"/></w:rPr><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;

export const body = (inside: string): string =>
  `<w:document ${W}><w:body>${inside}<w:sectPr w:rsidR="00AB12CD"><w:pgSz w:w="11906" w:h="16838"/></w:sectPr></w:body></w:document>`;

/** The parts that Word writes; `more` is added. */
export function wordFiles(inside: string, more: Files = {}): Files {
  return {
    '[Content_Types].xml':
      '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
    '_rels/.rels': relations({
      rId1: ['officeDocument', 'word/document.xml'],
      rId2: ['core-properties', 'docProps/core.xml'],
      rId3: ['extended-properties', 'docProps/app.xml'],
    }),
    'word/document.xml': body(inside),
    'docProps/core.xml':
      '<cp:coreProperties xmlns:cp="x" xmlns:dc="y"><dc:title>Contract</dc:title><dc:creator>Ann Smith</dc:creator><cp:revision>2</cp:revision><dc:subject/></cp:coreProperties>',
    'docProps/app.xml':
      '<Properties xmlns="x" xmlns:vt="y"><Pages>1</Pages><Company>Acme &amp; Co</Company><TitlesOfParts><vt:vector size="1"><vt:lpstr>Part one</vt:lpstr></vt:vector></TitlesOfParts></Properties>',
    ...more,
  };
}

export const word = (inside: string, more: Files = {}): Buffer => zipped(wordFiles(inside, more));

export const wordPart = (root: string, inside: string): string => `<w:${root} ${W}>${inside}</w:${root}>`;
