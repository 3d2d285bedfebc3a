import type { Encoding } from '../encoding.ts';
import type { Format, Part, Reading } from '../extraction.ts';
import { HEAD_BYTES, type Intake, type Place, read } from '../reading.ts';
import { fieldsOf } from '../structure/fields.ts';
import { takeCard } from './card-text.ts';
import { takeMarkup } from './markup/markup-text.ts';
import { Narrowing } from './narrowing.ts';

/**
 * One part of text. The bytes go on as they came wherever ASCII can be seen in them; wide characters are narrowed, and
 * some formats are written so that values are not what they look like.
 */
export function takeText(format: Format, encoding: Encoding, place: Place): Intake {
  if (format === 'html' || format === 'xml') return takeMarkup(format, encoding, place);
  if (format === 'ics' || format === 'vcf') return takeCard(format, encoding, place);
  return encoding.width === 1
    ? new PlainText(format, encoding, place)
    : new WideText(format, encoding, place);
}

class PlainText implements Intake {
  readonly #format: Format;
  readonly #encoding: Encoding;
  readonly #place: Place;
  #begun = false;

  constructor(format: Format, encoding: Encoding, place: Place) {
    this.#format = format;
    this.#encoding = encoding;
    this.#place = place;
  }

  push(bytes: Uint8Array): void {
    const text = this.#begun ? bytes : this.#begin(bytes);
    if (text.length > 0) this.#place.sink.text(text);
  }

  end(): Reading {
    if (!this.#begun) this.#begin(new Uint8Array(0));
    this.#place.sink.end();
    return read(this.#format);
  }

  #begin(bytes: Uint8Array): Uint8Array {
    this.#begun = true;
    const { mark } = this.#encoding;
    const { part, start, sink } = this.#place;
    sink.begin(plainPart(this.#format, this.#encoding, { name: part, start }, bytes));
    return mark === 0 ? bytes : bytes.subarray(mark);
  }
}

/** What is said of a text whose bytes go on as they came. Its first HEAD_BYTES tell everything. */
export function plainPart(
  format: Format,
  { mark, charset }: Encoding,
  { name, start }: { name: string | null; start: number },
  bytes: Uint8Array,
): Part {
  const head = mark === 0 && bytes.length <= HEAD_BYTES ? bytes : bytes.subarray(mark, HEAD_BYTES);
  return { name, format, charset, origin: shifted(start + mark), ...fieldsOf(format, head) };
}

const same = (offset: number): number => offset;
const afterMark = (offset: number): number => offset + 3;

/** Shared functions for the usual cases: a part of a small file should cost nothing. */
function shifted(by: number): Part['origin'] {
  if (by === 0) return same;
  return by === 3 ? afterMark : (offset) => offset + by;
}

class WideText implements Intake {
  readonly #format: Format;
  readonly #place: Place;
  readonly #narrowing: Narrowing;
  #begun = false;

  constructor(format: Format, encoding: Encoding, place: Place) {
    this.#format = format;
    this.#place = place;
    this.#narrowing = new Narrowing(encoding, (text) => this.#text(text));
  }

  push(bytes: Uint8Array): void {
    this.#narrowing.push(bytes);
  }

  end(): Reading {
    this.#narrowing.end();
    if (!this.#begun) this.#text(new Uint8Array(0));
    this.#place.sink.end();
    return read(this.#format);
  }

  /** The first block is the same however the bytes arrived, so it can serve as the head. */
  #text(block: Uint8Array): void {
    const { part: name, start, sink } = this.#place;
    if (!this.#begun) {
      this.#begun = true;
      const origin = (offset: number): number => start + this.#narrowing.origins.at(offset);
      sink.begin({
        name,
        format: this.#format,
        charset: 'utf-8',
        origin,
        ...fieldsOf(this.#format, block),
      });
    }
    if (block.length > 0) sink.text(block);
  }
}
