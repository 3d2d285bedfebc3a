import type { ZipDirectory, ZipMember } from '../../../archives/zip/zip-directory.ts';
import type { DocumentItem } from '../../../document-item.ts';
import { CorruptInput } from '../../../extraction-error.ts';
import { PartErrors } from '../../part-errors.ts';
import { type XmlTokens, type XmlVocabulary, xmlTokens } from '../../xml/xml-tokens.ts';
import type { TextFlow } from '../text/text-flow.ts';

/** Puts the tokens of a part into a flow of text. */
export interface PartText {
  readonly flow: TextFlow;
  take(xml: XmlTokens): void;
}

/**
 * Iterates over the parts of a document, each at most once, so that cyclic references, or a thousand references to the same part, don't
 * yield endless text. Errors of a part are reported at the end, after the others have been read.
 */
export class Parts extends PartErrors {
  readonly #zip: ZipDirectory;
  readonly #seen = new Set<ZipMember>();

  constructor(zip: ZipDirectory) {
    super();
    this.#zip = zip;
  }

  async *read(
    name: string,
    reader: (part: ZipMember) => AsyncGenerator<DocumentItem>,
  ): AsyncGenerator<DocumentItem> {
    const part = this.#zip.find(name);
    if (part === null) return this.record(new CorruptInput('missing part'));
    if (this.#seen.has(part)) return;
    this.#seen.add(part);
    yield* this.attempt(reader(part));
  }

  /** For what a reader can do without. */
  optional<T>(value: Promise<T>, otherwise: T): Promise<T>;
  optional(value: Promise<void>): Promise<void>;
  async optional<T>(value: Promise<T>, otherwise?: T): Promise<T | undefined> {
    try {
      return await value;
    } catch (error) {
      this.record(error);
      return otherwise;
    }
  }
}

/** The text of a part. What was read before an error is yielded first. */
export async function* textOf(
  part: ZipMember,
  text: PartText,
  vocabulary?: XmlVocabulary,
): AsyncGenerator<DocumentItem> {
  const { flow } = text;
  try {
    for await (const xml of xmlTokens(part.bytes(), vocabulary))
      while (xml.next()) {
        text.take(xml);
        if (flow.full) yield* flow.take();
      }
  } catch (error) {
    yield* flow.end();
    throw error;
  }
  yield* flow.end();
}

/** For parts that are lists: each opening tag of that name. */
export async function eachTag(part: ZipMember, name: string, onTag: (tag: XmlTokens) => void): Promise<void> {
  for await (const xml of xmlTokens(part.bytes()))
    while (xml.next()) if (xml.token === 'open' && xml.name === name) onTag(xml);
}
