/** Single-file XML office documents are recognised by the root element and its namespace. */
export type FlatType = 'document' | 'wordDocument' | 'Workbook' | 'package';

const NAMESPACES: Readonly<Record<FlatType, string>> = {
  document: 'urn:oasis:names:tc:opendocument:xmlns:office:1.0',
  wordDocument: 'http://schemas.microsoft.com/office/word/2003/wordml',
  Workbook: 'urn:schemas-microsoft-com:office:spreadsheet',
  package: 'http://schemas.microsoft.com/office/2006/xmlPackage',
};
const BEFORE_ROOT = /^(?:\s+|<\?[\s\S]*?\?>|<!--[\s\S]*?-->|<!(?!--)[^>]*>)*/;
const ROOT = /^<(?:[\w.-]+:)?([\w.-]+)[\s>]/;

/** `opening`: the first characters of a text, enough for the root's namespaces. */
export function isOfficeXml(opening: string): boolean {
  const rest = opening.slice(BEFORE_ROOT.exec(opening)![0].length);
  const name = ROOT.exec(rest)?.[1];
  return isFlatKind(name) && rest.includes(NAMESPACES[name]);
}

export function isFlatKind(name: string | undefined): name is FlatType {
  return name !== undefined && Object.hasOwn(NAMESPACES, name);
}
