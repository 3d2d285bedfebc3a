/** The values of a page by the ways they are encoded, one after another into cells. */
import { Unsupported } from '../../../obstacle.ts';
import type { CellWriter } from '../cell-writer.ts';
import { endOfPage, PageBytes } from './bits.ts';
import { Deltas } from './delta.ts';
import type { Dictionary } from './dictionary.ts';
import type { Kind, WriteInteger, WriteSlice } from './kind.ts';
import { Runs } from './runs.ts';
import { LengthPrefixed, OfWidth, type Slices, WithLengths, WithPrefixes } from './slices.ts';

const PLAIN = 0;
const PLAIN_DICTIONARY = 2;
const DELTA_BINARY_PACKED = 5;
const DELTA_LENGTH_BYTE_ARRAY = 6;
const DELTA_BYTE_ARRAY = 7;
const RLE_DICTIONARY = 8;
const BYTE_STREAM_SPLIT = 9;

export interface Values {
  /** The next one. */
  write(out: CellWriter): void;
}

export function valuesOf(
  page: PageBytes,
  encoding: number,
  kind: Kind,
  dictionary: Dictionary | null,
): Values {
  switch (encoding) {
    case PLAIN:
      return plainValues(page, kind);
    case PLAIN_DICTIONARY:
    case RLE_DICTIONARY:
      return new FromDictionary(page, dictionary);
    case DELTA_BINARY_PACKED:
      return new Integers(new Deltas(page, kind.width === 4), kind.integer);
    case DELTA_LENGTH_BYTE_ARRAY:
      return new SliceValues(new WithLengths(page), kind);
    case DELTA_BYTE_ARRAY:
      return new SliceValues(new WithPrefixes(page), kind);
    case BYTE_STREAM_SPLIT:
      return plainValues(joined(page, kind.width), kind);
    default:
      throw new Unsupported('Parquet encoding');
  }
}

export function plainValues(page: PageBytes, kind: Kind): Values {
  return new SliceValues(kind.width === 0 ? new LengthPrefixed(page) : new OfWidth(page, kind.width), kind);
}

class SliceValues implements Values {
  readonly #slices: Slices;
  readonly #write: WriteSlice;
  readonly #width: number;

  constructor(slices: Slices, { slice, width }: Kind) {
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

class FromDictionary implements Values {
  readonly #runs: Runs | null;
  readonly #dictionary: Dictionary;

  constructor(page: PageBytes, dictionary: Dictionary | null) {
    if (dictionary === null) throw endOfPage();
    this.#dictionary = dictionary;
    // A page without values may be without their width, too.
    this.#runs = page.at < page.end ? new Runs(page, page.byte()) : null;
  }

  write(out: CellWriter): void {
    if (this.#runs === null) throw endOfPage();
    this.#dictionary.write(out, this.#runs.next());
  }
}

/** The first bytes of all values stand before all second ones, and so on. */
function joined(page: PageBytes, width: number): PageBytes {
  const { bytes, at, end } = page;
  const count = width === 0 ? Number.NaN : (end - at) / width;
  if (!Number.isInteger(count)) throw endOfPage();
  const out = new Uint8Array(end - at);
  for (let value = 0; value < count; value++)
    for (let i = 0; i < width; i++) out[value * width + i] = bytes[at + i * count + value]!;
  return new PageBytes(out);
}
