import type { DocumentItem } from '../../../document-item.ts';
import { longer } from '../../sheets/cell-value.ts';
import type { XmlTokens } from '../../xml/xml-tokens.ts';
import { TextFlow } from '../text/text-flow.ts';
import type { OfficePackage } from './office-package.ts';
import { type Parts, type PartText, textOf } from './parts.ts';
import { partsOf } from './relations.ts';

export const PROPERTIES = 'properties';

/** Counts and flags, which contain no personal data. */
const NUMBERS = new Set(
  (
    'TotalTime Pages Words Characters Lines Paragraphs CharactersWithSpaces DocSecurity ScaleCrop LinksUpToDate SharedDoc ' +
    'HyperlinksChanged AppVersion HeadingPairs Slides Notes HiddenSlides MMClips revision editing-cycles editing-duration'
  ).split(' '),
);

const TYPES = ['core-properties', 'extended-properties', 'custom-properties'];
const USUAL = ['docProps/core.xml', 'docProps/app.xml', 'docProps/custom.xml'];

/** The document properties of a package. */
export async function* propertiesOf(office: OfficePackage, parts: Parts): AsyncGenerator<DocumentItem> {
  const relations = await parts.optional(office.relations(''), []);
  const usual = USUAL.filter((name) => office.zip.find(name) !== null);
  for (const name of [...partsOf(relations, ...TYPES), ...usual])
    yield* parts.read(name, (part) => textOf(part, new PropertyText(2)));
}

/** Document properties, as lines "name: value". */
export class PropertyText implements PartText {
  readonly flow = new TextFlow(PROPERTIES);
  readonly #level: number;
  #name = '';
  #value = '';

  /** `level`: the depth of the properties in their part. */
  constructor(level: number) {
    this.#level = level;
  }

  take(xml: XmlTokens): void {
    if (xml.token === 'open') {
      // A property with a name attribute is called that, not by its element; its value may be an element within.
      if (xml.depth === this.#level) this.#name = xml.attribute('name') ?? xml.name;
      this.#value = '';
    } else if (xml.token === 'text') {
      if (xml.depth >= this.#level) this.#value = longer(this.#value, xml.text);
    } else {
      const value = this.#value.trim();
      this.#value = '';
      if (value === '' || NUMBERS.has(this.#name)) return;
      this.flow.writeLine(`${this.#name}: ${value}`);
    }
  }
}

/** Elements without text whose attributes are relevant: authors and their addresses, database connections. */
const INFORMATIVE: Readonly<Record<string, readonly string[]>> = {
  person: ['displayName', 'userId', 'author'],
  presenceInfo: ['userId'],
  cmAuthor: ['name'],
  author: ['name', 'userId'],
  connection: ['name', 'description'],
  dbPr: ['connection', 'command'],
  webPr: ['url'],
  textPr: ['sourceFile'],
  connectString: ['val'],
  query: ['val'],
  docVar: ['name', 'val'],
  'user-field-decl': ['name', 'string-value'],
};

export class AttributeText implements PartText {
  readonly flow = new TextFlow(PROPERTIES);

  take(xml: XmlTokens): void {
    if (xml.token !== 'open' || !Object.hasOwn(INFORMATIVE, xml.name)) return;
    for (const name of INFORMATIVE[xml.name] ?? []) {
      const value = xml.attribute(name);
      if (value === null || value === '') continue;
      this.flow.writeLine(`${name === 'val' ? xml.name : name}: ${value}`);
    }
  }
}
