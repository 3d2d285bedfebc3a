import type { ExtractionResult, Format, TextPart } from '../extraction.ts';
import { HEAD_BYTES, type PartTarget, type PushParser, readResult } from '../push-parser.ts';
import type { Encoding } from '../sniff/encoding.ts';
import { fieldLocatorOf } from '../structure/field-locator.ts';
import { CardRewriter } from './card-rewriter.ts';
import { MarkupRewriter } from './markup/markup-rewriter.ts';
import { RewrittenText } from './rewritten-text.ts';
import { Utf8Transcoder } from './utf8-transcoder.ts';

/**
 * One part of text. The bytes are passed through in encodings that are supersets of ASCII; wide characters are transcoded, and formats
 * with escaped or split values are rewritten.
 */
export function textParser(format: Format, encoding: Encoding, target: PartTarget): PushParser {
  if (format === 'html' || format === 'xml') return markupParser(format, encoding, target);
  if (format === 'ics' || format === 'vcf') return cardParser(format, encoding, target);
  return encoding.width === 1
    ? new PlainTextParser(format, encoding, target)
    : new Utf16Parser(format, encoding, target);
}

class PlainTextParser implements PushParser {
  readonly #format: Format;
  readonly #encoding: Encoding;
  readonly #target: PartTarget;
  #begun = false;

  constructor(format: Format, encoding: Encoding, target: PartTarget) {
    this.#format = format;
    this.#encoding = encoding;
    this.#target = target;
  }

  push(bytes: Uint8Array): void {
    const text = this.#begun ? bytes : this.#begin(bytes);
    if (text.length > 0) this.#target.sink.text(text);
  }

  end(): ExtractionResult {
    if (!this.#begun) this.#begin(new Uint8Array(0));
    this.#target.sink.end();
    return readResult(this.#format);
  }

  #begin(bytes: Uint8Array): Uint8Array {
    this.#begun = true;
    const { bomLength } = this.#encoding;
    const { part, start, sink } = this.#target;
    sink.begin(plainPart(this.#format, this.#encoding, { name: part, start }, bytes));
    return bomLength === 0 ? bytes : bytes.subarray(bomLength);
  }
}

/** The description of a text that is passed through, determined by its first HEAD_BYTES. */
export function plainPart(
  format: Format,
  { bomLength, charset }: Encoding,
  { name, start }: { name: string | null; start: number },
  bytes: Uint8Array,
): TextPart {
  const head = bomLength === 0 && bytes.length <= HEAD_BYTES ? bytes : bytes.subarray(bomLength, HEAD_BYTES);
  return { name, format, charset, sourceOffset: shifted(start + bomLength), ...fieldLocatorOf(format, head) };
}

const same = (offset: number): number => offset;
const afterMark = (offset: number): number => offset + 3;

/** Shared functions for the usual cases: a part of a small file should cost nothing. */
function shifted(by: number): TextPart['sourceOffset'] {
  if (by === 0) return same;
  return by === 3 ? afterMark : (offset) => offset + by;
}

class Utf16Parser implements PushParser {
  readonly #format: Format;
  readonly #target: PartTarget;
  readonly #transcoder: Utf8Transcoder;
  #begun = false;

  constructor(format: Format, encoding: Encoding, target: PartTarget) {
    this.#format = format;
    this.#target = target;
    this.#transcoder = new Utf8Transcoder(encoding, (text) => this.#text(text));
  }

  push(bytes: Uint8Array): void {
    this.#transcoder.push(bytes);
  }

  end(): ExtractionResult {
    this.#transcoder.end();
    if (!this.#begun) this.#text(new Uint8Array(0));
    this.#target.sink.end();
    return readResult(this.#format);
  }

  /** The first block does not depend on chunking, so it can serve as the head. */
  #text(block: Uint8Array): void {
    const { part: name, start, sink } = this.#target;
    if (!this.#begun) {
      this.#begun = true;
      const sourceOffset = (offset: number): number => start + this.#transcoder.offsets.at(offset);
      sink.begin({
        name,
        format: this.#format,
        charset: 'utf-8',
        sourceOffset,
        ...fieldLocatorOf(this.#format, block),
      });
    }
    if (block.length > 0) sink.text(block);
  }
}

/** Calendars and contacts: lines that were folded are whole again, and values are as they were before they were escaped. */
function cardParser(format: 'ics' | 'vcf', encoding: Encoding, target: PartTarget): PushParser {
  return new RewrittenText(format, encoding, target, (text) => new CardRewriter(text));
}

/** HTML and XML: entities are decoded, and words that tags divide are whole again. */
function markupParser(format: 'html' | 'xml', encoding: Encoding, target: PartTarget): PushParser {
  const { charset } = encoding;
  return new RewrittenText(format, encoding, target, (text) => new MarkupRewriter(text, { format, charset }));
}
