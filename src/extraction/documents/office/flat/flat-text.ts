import type { DocumentItem } from '../../../document-item.ts';
import type { XmlTokens } from '../../xml/xml-tokens.ts';

/** Converts the tokens of a single-file XML document to items. */
export interface FlatText {
  take(xml: XmlTokens): void;
  /** Items are ready to be taken. */
  readonly ready: boolean;
  items(): Iterable<DocumentItem>;
  /** What is left, also of a document that breaks off. */
  end(): Iterable<DocumentItem>;
}
