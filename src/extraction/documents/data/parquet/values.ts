/** The values of a page by the ways they are encoded, one after another into cells. */
import { Unsupported } from '../../../extraction-error.ts';
import type { CellWriter } from '../cell-writer.ts';
import { endOfPage, PageBytes } from './bits.ts';
import type { ColumnCodec, WriteInteger, WriteSlice } from './column-codec.ts';
import { Deltas } from './delta.ts';
import type { Dictionary } from './dictionary.ts';
import { FromDictionary } from './from-dictionary.ts';
import type { Kernel, Rows } from './kernel/kernel.ts';
import { LengthPrefixed, type Slices, WithLengths, WithPrefixes } from './slices.ts';
import type { Values } from './value-writing.ts';

const PLAIN = 0;
const PLAIN_DICTIONARY = 2;
const DELTA_BINARY_PACKED = 5;
const DELTA_LENGTH_BYTE_ARRAY = 6;
const DELTA_BYTE_ARRAY = 7;
const RLE_DICTIONARY = 8;
const BYTE_STREAM_SPLIT = 9;

export function valuesOf(
  page: PageBytes,
  encoding: number,
  codec: ColumnCodec,
  dictionary: Dictionary | null,
  kernel: Kernel | null,
): Values {
  switch (encoding) {
    case PLAIN:
      return plainValues(page, codec, kernel);
    case PLAIN_DICTIONARY:
    case RLE_DICTIONARY:
      return new FromDictionary(page, dictionary, kernel);
    case DELTA_BINARY_PACKED:
      return new Integers(new Deltas(page, codec.width === 4), codec.integer);
    case DELTA_LENGTH_BYTE_ARRAY:
      return new SliceValues(new WithLengths(page), codec);
    case DELTA_BYTE_ARRAY:
      return new SliceValues(new WithPrefixes(page), codec);
    case BYTE_STREAM_SPLIT:
      return plainValues(joined(page, codec.width), codec, null);
    default:
      throw new Unsupported('Parquet encoding');
  }
}

export function plainValues(page: PageBytes, codec: ColumnCodec, kernel: Kernel | null): Values {
  if (codec.width === 0 && codec.min !== undefined && kernel?.holds(page.bytes))
    return new PlainTexts(page, codec.slice, codec.min, kernel);
  return codec.width === 0 ? new SliceValues(new LengthPrefixed(page), codec) : new OfWidth(page, codec);
}

class OfWidth implements Values {
  readonly #page: PageBytes;
  readonly #width: number;
  readonly #write: WriteSlice;

  constructor(page: PageBytes, { width, slice }: ColumnCodec) {
    this.#page = page;
    this.#width = width;
    this.#write = slice;
  }

  write(out: CellWriter): void {
    const from = this.#page.pass(this.#width);
    this.#write(out, this.#page.bytes, from, from + this.#width);
  }
}

class SliceValues implements Values {
  readonly #slices: Slices;
  readonly #write: WriteSlice;
  readonly #width: number;

  constructor(slices: Slices, { slice, width }: ColumnCodec) {
    this.#slices = slices;
    this.#write = slice;
    this.#width = width;
  }

  write(out: CellWriter): void {
    const slices = this.#slices;
    slices.next();
    if (this.#width > 0 && slices.to - slices.from !== this.#width) throw endOfPage();
    this.#write(out, slices.bytes, slices.from, slices.to);
  }
}

/** Texts of a page that the kernel holds. */
class PlainTexts implements Values {
  readonly #page: PageBytes;
  readonly #write: WriteSlice;
  readonly #min: number;
  readonly #kernel: Kernel;

  constructor(page: PageBytes, write: WriteSlice, min: number, kernel: Kernel) {
    this.#page = page;
    this.#write = write;
    this.#min = min;
    this.#kernel = kernel;
  }

  write(out: CellWriter): void {
    const from = this.#page.pass(this.#page.uint32());
    this.#write(out, this.#page.bytes, from, this.#page.at);
  }

  writeRows(out: CellWriter, rows: Rows): number {
    const { bytes, at, end } = this.#page;
    const written = this.#kernel.writePlain(bytes, at, end, rows, this.#min);
    this.#page.at = written.at;
    out.rows(written.text);
    return written.row;
  }
}

class Integers implements Values {
  readonly #deltas: Deltas;
  readonly #write: WriteInteger;

  constructor(deltas: Deltas, write: WriteInteger | null) {
    if (write === null) throw endOfPage();
    this.#deltas = deltas;
    this.#write = write;
  }

  write(out: CellWriter): void {
    this.#write(out, this.#deltas.next());
  }
}

/** Byte stream split: the first bytes of all values precede all second ones, and so on. */
function joined(page: PageBytes, width: number): PageBytes {
  const { bytes, at, end } = page;
  const count = width === 0 ? Number.NaN : (end - at) / width;
  if (!Number.isInteger(count)) throw endOfPage();
  const out = new Uint8Array(end - at);
  for (let value = 0; value < count; value++)
    for (let i = 0; i < width; i++) out[value * width + i] = bytes[at + i * count + value]!;
  return new PageBytes(out);
}
