/**
 * A streaming XML tokenizer without a tree, for parts of documents that are far larger than memory. It is lenient about what is
 * between tags and strict about the end: a text that stops within an element is truncated. A text may come in several tokens; entities
 * of a document type are not expanded.
 *
 * Format: XML 1.0 (Fifth Edition) and Namespaces in XML 1.0, without validation.
 *
 * No library: SAX parsers call back for each token with new strings. Here the consumer pulls, attributes are parsed on demand, and an
 * unlimited token cannot exhaust memory; a sheet has tens of millions of tokens.
 */
import { CorruptInput, LimitExceeded } from '../../extraction-error.ts';
import { findAttribute, type Span } from './xml-attributes.ts';
import { XmlCodes } from './xml-codes.ts';
import { XmlDecoder } from './xml-decoder.ts';
import { XmlNames } from './xml-names.ts';
import { cutReference, resolveReferences } from './xml-references.ts';
import { SkippedMarkup } from './xml-skipped-markup.ts';

export interface XmlVocabulary {
  /** Names of characters beyond XML's five. */
  readonly entities: ReadonlyMap<string, string> | null;
  /** Elements may be left open or closed twice, as in hand-written HTML. */
  readonly loose: boolean;
}

const PLAIN: XmlVocabulary = { entities: null, loose: false };

/** Yields the tokens of each chunk, which must be consumed by `next` before another chunk is requested. */
export async function* xmlTokens(
  bytes: AsyncIterable<Uint8Array>,
  vocabulary: XmlVocabulary = PLAIN,
): AsyncGenerator<XmlTokens> {
  const tokens = new XmlTokens(vocabulary);
  for await (const chunk of bytes) {
    tokens.push(chunk);
    yield tokens;
  }
  tokens.pushEnd();
  yield tokens;
  tokens.finish();
}

const DEPTH = 2000;
const TAG_LENGTH = 4 * 1024 * 1024;
const SECTION = '<![CDATA[';
const LT = 0x3c;
const GT = 0x3e;
const SLASH = 0x2f;
const QUOTE = 0x22;
const APOSTROPHE = 0x27;
const BANG = 0x21;
const QUESTION = 0x3f;
const COLON = 0x3a;

export class XmlTokens {
  token: 'open' | 'close' | 'text' = 'text';
  /** Of the element that was opened or closed, without its prefix. */
  name = '';

  readonly #vocabulary: XmlVocabulary;
  readonly #decoder = new XmlDecoder();
  readonly #names = new XmlNames();
  readonly #skipped = new SkippedMarkup();
  readonly #chunk = new XmlCodes();
  readonly #cutTag = new XmlCodes();
  #buffer = '';
  #codes = this.#chunk.codes; // of the buffer
  #at = 0;
  #depth = 0;
  #any = false; // element: there was one
  /** The token's characters: of a tag what follows its name, of a text all. */
  #source = '';
  #sourceCodes = this.#codes;
  readonly #span: Span = { from: 0, to: 0 };
  readonly #value: Span = { from: 0, to: 0 };
  #raw = false; // the text is out of a CDATA section
  #closeDue = false; // the last tag was self-closing
  /** An incomplete tag of the previous chunks; only new text is scanned. */
  #begun = '';
  #quote = 0;
  #section = false; // of CDATA: we are in one

  constructor(vocabulary: XmlVocabulary = PLAIN) {
    this.#vocabulary = vocabulary;
  }

  push(chunk: Uint8Array): void {
    this.#take(this.#decoder.push(chunk));
  }

  pushEnd(): void {
    this.#take(this.#decoder.end());
  }

  /** After the last token. */
  finish(): void {
    const within = this.#begun !== '' || this.#section || this.#skipped.open;
    const open = this.#depth > 0 && !this.#vocabulary.loose;
    if (within || open || this.#at < this.#buffer.length) throw new CorruptInput('truncated XML');
    if (!this.#any && !this.#vocabulary.loose) throw new CorruptInput('XML');
  }

  /** The source text that is not part of a token yet: for a caller that falls back to plain text. */
  takeUnread(): string {
    const unread = (this.#begun === '' ? '' : `<${this.#begun}`) + this.#buffer.slice(this.#at);
    this.#begun = '';
    this.#at = this.#buffer.length;
    return unread;
  }

  get depth(): number {
    return this.#depth;
  }

  /** The text of a text token. */
  get text(): string {
    const text = this.#source.slice(this.#span.from, this.#span.to);
    return this.#raw ? text : resolveReferences(text, this.#vocabulary.entities);
  }

  /** Of the element just opened, by its name without a prefix. */
  attribute(local: string): string | null {
    return this.#attribute(local, false);
  }

  /** As `attribute`, but it must have a prefix. */
  prefixedAttribute(local: string): string | null {
    return this.#attribute(local, true);
  }

  /** Advances to the next token; false: more bytes are needed. */
  next(): boolean {
    if (this.#closeDue) return this.#close();
    if (this.#begun !== '') return this.#goOnWithTag();
    for (;;) {
      if (this.#section) return this.#sectionText();
      if (this.#skipped.open) this.#at = this.#skipped.skip(this.#buffer, this.#at);
      if (this.#skipped.open || this.#at >= this.#buffer.length) return false;
      if (this.#codes[this.#at] !== LT) return this.#textToken(this.#at);
      if (this.#at + 1 === this.#buffer.length) return false;
      const next = this.#codes[this.#at + 1]!;
      if (next === SLASH || isNameStart(next)) return this.#tag(this.#at + 1);
      if (next !== BANG && next !== QUESTION) return this.#textToken(this.#at + 1);
      if (!this.#declaration()) return false;
    }
  }

  #take(text: string): void {
    const rest = this.#buffer.length - this.#at;
    this.#buffer = rest === 0 ? text : this.#buffer.slice(this.#at) + text;
    this.#at = 0;
    this.#chunk.fill(this.#buffer);
    this.#codes = this.#chunk.codes;
  }

  #attribute(local: string, prefixed: boolean): string | null {
    if (!findAttribute(this.#source, this.#sourceCodes, this.#span, local, prefixed, this.#value))
      return null;
    const value = this.#source.slice(this.#value.from, this.#value.to);
    return resolveReferences(value, this.#vocabulary.entities);
  }

  /** Up to the next tag or the end of the chunk. A reference that may be cut waits; `from`: this far it is text anyway. */
  #textToken(from: number): boolean {
    const buffer = this.#buffer;
    let end = buffer.indexOf('<', from);
    if (end === -1) {
      const cut = cutReference(buffer, from);
      end = cut === -1 ? buffer.length : cut;
      if (end === this.#at) return false;
    }
    return this.#emitText(this.#at, end, end, false);
  }

  #emitText(from: number, to: number, next: number, raw: boolean): boolean {
    this.token = 'text';
    this.#source = this.#buffer;
    this.#span.from = from;
    this.#span.to = to;
    this.#raw = raw;
    this.#at = next;
    return true;
  }

  /** `from`: after its `<`. */
  #tag(from: number): boolean {
    const end = this.#tagEnd(from);
    if (end !== -1) {
      this.#at = end + 1;
      return this.#emitTag(this.#buffer, this.#codes, from, end);
    }
    this.#begun = this.#buffer.slice(from);
    this.#at = this.#buffer.length;
    return this.#checkLength(this.#begun.length);
  }

  #goOnWithTag(): boolean {
    const end = this.#tagEnd(this.#at);
    const to = end === -1 ? this.#buffer.length : end;
    this.#begun += this.#buffer.slice(this.#at, to);
    this.#at = to;
    this.#checkLength(this.#begun.length);
    if (end === -1) return false;
    const tag = this.#begun;
    this.#begun = '';
    this.#at = end + 1;
    this.#cutTag.fill(tag);
    return this.#emitTag(tag, this.#cutTag.codes, 0, tag.length);
  }

  /** The `>` that is in no quotes; -1: not in this chunk, and we remember where we are. */
  #tagEnd(from: number): number {
    const codes = this.#codes;
    const { length } = this.#buffer;
    let quote = this.#quote;
    for (let i = from; i < length; i++) {
      const code = codes[i]!;
      if (quote !== 0) {
        if (code === quote) quote = 0;
      } else if (code === GT) {
        this.#quote = 0;
        return i;
      } else if (code === QUOTE || code === APOSTROPHE) quote = code;
    }
    this.#quote = quote;
    return -1;
  }

  #emitTag(source: string, codes: Uint16Array, from: number, end: number): boolean {
    this.#checkLength(end - from);
    const closes = codes[from] === SLASH;
    const to = !closes && codes[end - 1] === SLASH ? end - 1 : end;
    let start = closes ? from + 1 : from;
    let i = start;
    for (; i < to; i++) {
      const code = codes[i]!;
      if (code <= 0x20 || code === SLASH) break;
      if (code === COLON) start = i + 1;
    }
    this.name = this.#names.name(source, codes, start, i);
    if (closes) return this.#close();
    this.token = 'open';
    this.#any = true;
    this.#source = source;
    this.#sourceCodes = codes;
    this.#span.from = i;
    this.#span.to = to;
    this.#closeDue = to < end;
    if (++this.#depth > DEPTH && !this.#vocabulary.loose) throw new LimitExceeded('nesting');
    return true;
  }

  #close(): boolean {
    this.#closeDue = false;
    this.token = 'close';
    if (--this.#depth >= 0) return true;
    if (!this.#vocabulary.loose) throw new CorruptInput('XML');
    this.#depth = 0;
    return true;
  }

  #checkLength(length: number): false {
    if (length > TAG_LENGTH) throw new LimitExceeded('length of a tag');
    return false;
  }

  /** `<!` or `<?`. False: more text is needed to decide what it is. */
  #declaration(): boolean {
    const start = this.#buffer.slice(this.#at, this.#at + SECTION.length);
    if (start.length < SECTION.length && SECTION.startsWith(start)) return false;
    this.#section = start === SECTION;
    const next = this.#section ? this.#at + SECTION.length : this.#skipped.begin(this.#buffer, this.#at);
    if (next !== -1) this.#at = next;
    return next !== -1;
  }

  #sectionText(): boolean {
    const end = this.#buffer.indexOf(']]>', this.#at);
    this.#section = end === -1;
    // The last characters may be the beginning of what ends it.
    const to = end === -1 ? Math.max(this.#at, this.#buffer.length - 2) : end;
    if (to === this.#at && end === -1) return false;
    return this.#emitText(this.#at, to, end === -1 ? to : end + 3, true);
  }
}

function isNameStart(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || code === 0x5f || code >= 0x80;
}
