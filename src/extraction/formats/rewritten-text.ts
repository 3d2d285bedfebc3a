import type { Encoding } from '../encoding.ts';
import type { Format, Reading } from '../extraction.ts';
import { type Intake, type Place, read } from '../reading.ts';
import { fieldsOf } from '../structure/fields.ts';
import { EditedText } from './edited-text.ts';
import { Narrowing } from './narrowing.ts';
import { Blocks, type Rewriting } from './rewriting.ts';

const NOTHING: Uint8Array = new Uint8Array(0);

/** One part of text that is not given to detection as it stands in the object. Wide characters are narrowed before. */
export class RewrittenText implements Intake {
  readonly #format: Format;
  readonly #place: Place;
  readonly #charset: Encoding['charset'];
  readonly #blocks: Blocks;
  readonly #text: EditedText;
  readonly #narrowing: Narrowing | null;
  readonly #mark: number;
  #begun = false;

  constructor(
    format: Format,
    encoding: Encoding,
    place: Place,
    rewritingOf: (text: EditedText) => Rewriting,
  ) {
    this.#format = format;
    this.#place = place;
    this.#charset = encoding.charset;
    this.#mark = encoding.mark;
    this.#text = new EditedText((text) => this.#emit(text));
    this.#blocks = new Blocks(rewritingOf(this.#text));
    this.#narrowing =
      encoding.width === 1 ? null : new Narrowing(encoding, (text) => this.#blocks.push(text));
  }

  push(bytes: Uint8Array): void {
    if (this.#narrowing !== null) this.#narrowing.push(bytes);
    else this.#blocks.push(this.#begun || this.#mark === 0 ? bytes : bytes.subarray(this.#mark));
    this.#begin();
  }

  end(): Reading {
    this.#narrowing?.end();
    this.#blocks.end();
    this.#begin();
    this.#place.sink.end();
    return read(this.#format);
  }

  #begin(): void {
    if (this.#begun) return;
    this.#begun = true;
    const { part: name, start, sink } = this.#place;
    const { cuts } = this.#text;
    const from = start + this.#mark;
    const origins = this.#narrowing?.origins;
    sink.begin({
      name,
      format: this.#format,
      charset: this.#charset,
      origin: origins ? (offset) => start + origins.at(cuts.at(offset)) : (offset) => from + cuts.at(offset),
      ...fieldsOf(this.#format, NOTHING),
    });
  }

  #emit(text: Uint8Array): void {
    this.#begin();
    this.#place.sink.text(text);
  }
}
