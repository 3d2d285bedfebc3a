import type { DocumentItem } from '../../../document-item.ts';
import type { XmlTokens } from '../../xml/xml-tokens.ts';

/** Puts the tokens of a document that is one XML file into pieces. */
export interface FlatText {
  take(xml: XmlTokens): void;
  /** There are pieces to take. */
  readonly ready: boolean;
  items(): Iterable<DocumentItem>;
  /** What is left, also of a document that breaks off. */
  end(): Iterable<DocumentItem>;
}
