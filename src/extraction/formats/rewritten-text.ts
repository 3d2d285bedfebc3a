import type { ExtractionResult, Format } from '../extraction.ts';
import { type PartTarget, type PushParser, readResult } from '../push-parser.ts';
import type { Encoding } from '../sniff/encoding.ts';
import { fieldLocatorOf } from '../structure/field-locator.ts';
import { EditedText } from './edited-text.ts';
import { BlockBuffer, type Rewriter } from './rewriter.ts';
import { Utf8Transcoder } from './utf8-transcoder.ts';

const NOTHING: Uint8Array = new Uint8Array(0);

/** A text part that is rewritten before detection. Wide characters are transcoded first. */
export class RewrittenText implements PushParser {
  readonly #format: Format;
  readonly #target: PartTarget;
  readonly #charset: Encoding['charset'];
  readonly #blocks: BlockBuffer;
  readonly #text: EditedText;
  readonly #transcoder: Utf8Transcoder | null;
  readonly #mark: number;
  #begun = false;

  constructor(
    format: Format,
    encoding: Encoding,
    target: PartTarget,
    rewritingOf: (text: EditedText) => Rewriter,
  ) {
    this.#format = format;
    this.#target = target;
    this.#charset = encoding.charset;
    this.#mark = encoding.bomLength;
    this.#text = new EditedText((text) => this.#emit(text));
    this.#blocks = new BlockBuffer(rewritingOf(this.#text));
    this.#transcoder =
      encoding.width === 1 ? null : new Utf8Transcoder(encoding, (text) => this.#blocks.push(text));
  }

  push(bytes: Uint8Array): void {
    if (this.#transcoder !== null) this.#transcoder.push(bytes);
    else this.#blocks.push(this.#begun || this.#mark === 0 ? bytes : bytes.subarray(this.#mark));
    this.#begin();
  }

  end(): ExtractionResult {
    this.#transcoder?.end();
    this.#blocks.end();
    this.#begin();
    this.#target.sink.end();
    return readResult(this.#format);
  }

  #begin(): void {
    if (this.#begun) return;
    this.#begun = true;
    const { part: name, start, sink } = this.#target;
    const { offsetMap } = this.#text;
    const from = start + this.#mark;
    const offsets = this.#transcoder?.offsets;
    sink.begin({
      name,
      format: this.#format,
      charset: this.#charset,
      sourceOffset: offsets
        ? (offset) => start + offsets.at(offsetMap.at(offset))
        : (offset) => from + offsetMap.at(offset),
      ...fieldLocatorOf(this.#format, NOTHING),
    });
  }

  #emit(text: Uint8Array): void {
    this.#begin();
    this.#target.sink.text(text);
  }
}
