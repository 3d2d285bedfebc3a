/** What Word, Excel and PowerPoint have in common: parts with types, relations between them, properties. */
import { DECLARATION, each, escaped } from './xml.ts';
import { zip } from './zip.ts';

export interface Relation {
  readonly id: string;
  /** The last word of its type. */
  readonly type: string;
  readonly target: string;
  /** It leads out of the document. */
  readonly outside?: boolean;
}

export interface Part {
  readonly path: string;
  readonly type: string;
  readonly xml: string;
  readonly relations?: readonly Relation[];
}

export interface Properties {
  readonly title: string;
  readonly author: string;
  readonly program: string;
}

const SCHEMAS = 'http://schemas.openxmlformats.org';
const PACKAGE = `${SCHEMAS}/package/2006`;
const OFFICE = `${SCHEMAS}/officeDocument/2006`;
const WRITTEN = '2024-03-05T09:12:00Z';
const TYPES = 'application/vnd.openxmlformats';

/** The first part is the document itself. */
export function officePackage(parts: readonly Part[], properties: Properties): Buffer {
  const all = [...parts, ...propertyParts(properties)];
  const files: Record<string, string> = {
    '[Content_Types].xml': DECLARATION + contentTypes(all),
    '_rels/.rels': DECLARATION + relationsXml(rootRelations(parts[0]!.path)),
  };
  for (const { path, xml, relations } of all) {
    files[path] = DECLARATION + xml;
    if (relations !== undefined) files[relationsPath(path)] = DECLARATION + relationsXml(relations);
  }
  return zip(files);
}

function contentTypes(parts: readonly Part[]): string {
  const defaults =
    `<Default Extension="rels" ContentType="${TYPES}-package.relationships+xml"/>` +
    '<Default Extension="xml" ContentType="application/xml"/>' +
    `<Default Extension="vml" ContentType="${TYPES}-officedocument.vmlDrawing"/>`;
  const overrides = each(
    parts.filter(({ path }) => !path.endsWith('.vml')),
    ({ path, type }) => `<Override PartName="/${path}" ContentType="${type}"/>`,
  );
  return `<Types xmlns="${PACKAGE}/content-types">${defaults}${overrides}</Types>`;
}

function rootRelations(main: string): Relation[] {
  return [
    { id: 'rId1', type: 'officeDocument', target: main },
    { id: 'rId2', type: 'core-properties', target: 'docProps/core.xml' },
    { id: 'rId3', type: 'extended-properties', target: 'docProps/app.xml' },
  ];
}

function relationsXml(relations: readonly Relation[]): string {
  const one = ({ id, type, target, outside }: Relation) => {
    const schema =
      type === 'core-properties' ? `${PACKAGE}/relationships/metadata` : `${OFFICE}/relationships`;
    const mode = outside === true ? ' TargetMode="External"' : '';
    return `<Relationship Id="${id}" Type="${schema}/${type}" Target="${escaped(target)}"${mode}/>`;
  };
  return `<Relationships xmlns="${PACKAGE}/relationships">${each(relations, one)}</Relationships>`;
}

/** `xl/workbook.xml` has its relations in `xl/_rels/workbook.xml.rels`. */
function relationsPath(path: string): string {
  const cut = path.lastIndexOf('/') + 1;
  return `${path.slice(0, cut)}_rels/${path.slice(cut)}.rels`;
}

function propertyParts({ title, author, program }: Properties): Part[] {
  const when = (name: string) => `<dcterms:${name} xsi:type="dcterms:W3CDTF">${WRITTEN}</dcterms:${name}>`;
  const names =
    `xmlns:cp="${PACKAGE}/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/" ` +
    'xmlns:dcterms="http://purl.org/dc/terms/" xmlns:dcmitype="http://purl.org/dc/dcmitype/" ' +
    'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"';
  const core =
    `<dc:title>${escaped(title)}</dc:title><dc:creator>${escaped(author)}</dc:creator>` +
    `<cp:lastModifiedBy>${escaped(author)}</cp:lastModifiedBy><cp:revision>7</cp:revision>` +
    when('created') +
    when('modified');
  const more = `<Application>${program}</Application><DocSecurity>0</DocSecurity><Company>Brightwater Outfitters</Company><AppVersion>16.0300</AppVersion>`;
  return [
    {
      path: 'docProps/core.xml',
      type: `${TYPES}-package.core-properties+xml`,
      xml: `<cp:coreProperties ${names}>${core}</cp:coreProperties>`,
    },
    {
      path: 'docProps/app.xml',
      type: `${TYPES}-officedocument.extended-properties+xml`,
      xml: `<Properties xmlns="${OFFICE}/extended-properties" xmlns:vt="${OFFICE}/docPropsVTypes">${more}</Properties>`,
    },
  ];
}

/** The content type of a part of Word (`wordprocessingml`), Excel or PowerPoint. */
export function partType(language: string, part: string): string {
  return `${TYPES}-officedocument.${language}.${part}+xml`;
}
