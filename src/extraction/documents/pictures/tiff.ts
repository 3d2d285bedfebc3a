/**
 * Directories of TIFF: the form of TIFF files, and of EXIF data inside other files.
 *
 * Format: TIFF Revision 6.0, section 2.
 *
 * No library for pictures' metadata (all files of metadata/ as well): only text fields are needed, by ranges of a remote object, and a
 * damaged block must not hide the others. Each format is some fifty to a hundred lines.
 */
import type { RandomAccess } from '../../document-item.ts';
import { CorruptInput, LimitExceeded, Unsupported } from '../../extraction-error.ts';

export interface Field {
  readonly type: number;
  readonly count: number;
  /** The offset of the value in the TIFF data. */
  readonly at: number;
}

export interface Directory {
  readonly at: number;
  readonly fields: ReadonlyMap<number, Field>;
  /** The offset of the next directory; 0: none. */
  readonly next: number;
}

const MAX_VALUE_LENGTH = 1024 * 1024;
/** Total limit: directories and values may overlap, so the length of the data is no bound. */
const MAX_BYTES = 64 * 1024 * 1024;
const MAX_NUMBERS = 64;
const SIZES = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8];
const SHORT = 3;
const LONG = 4;
const RATIONAL = 5;
const SIGNED_RATIONAL = 10;

export class Tiff {
  readonly #input: RandomAccess;
  #read = 0;
  readonly little: boolean;
  /** The offset of the first directory. */
  readonly first: number;

  private constructor(input: RandomAccess, little: boolean, first: number) {
    this.#input = input;
    this.little = little;
    this.first = first;
  }

  static async open(input: RandomAccess): Promise<Tiff> {
    const head = await input.read(0, 8);
    if (head.length < 8) throw new CorruptInput('truncated TIFF data');
    const view = viewOf(head);
    const little = view.getUint16(0) === 0x4949;
    if (!little && view.getUint16(0) !== 0x4d4d) throw new CorruptInput('TIFF data');
    const version = view.getUint16(2, little);
    if (version === 43) throw new Unsupported('BigTIFF image');
    if (version !== 42) throw new CorruptInput('TIFF data');
    return new Tiff(input, little, view.getUint32(4, little));
  }

  async directory(at: number): Promise<Directory> {
    const head = await this.#input.read(at, at + 2);
    if (at < 8 || head.length < 2) throw new CorruptInput('TIFF directory');
    const count = viewOf(head).getUint16(0, this.little);
    const bytes = await this.#look(at + 2, 12 * count + 4);
    if (bytes.length < 12 * count) throw new CorruptInput('truncated TIFF data');
    const view = viewOf(bytes);
    const fields = new Map<number, Field>();
    for (let entry = 0; entry < 12 * count; entry += 12) {
      const type = view.getUint16(entry + 2, this.little);
      const values = view.getUint32(entry + 4, this.little);
      const inside = values * (SIZES[type] ?? 1) <= 4;
      const place = inside ? at + 2 + entry + 8 : view.getUint32(entry + 8, this.little);
      fields.set(view.getUint16(entry, this.little), { type, count: values, at: place });
    }
    // Many writers leave the last pointer away at the end of the data.
    return { at, fields, next: bytes.length < 12 * count + 4 ? 0 : view.getUint32(12 * count, this.little) };
  }

  /** One directory for each page; in EXIF data the second is about a thumbnail. */
  async *chain(): AsyncGenerator<Directory> {
    const seen = new Set<number>();
    for (let at = this.first; at !== 0; ) {
      if (seen.has(at)) throw new CorruptInput('TIFF directory');
      seen.add(at);
      const directory = await this.directory(at);
      yield directory;
      at = directory.next;
    }
  }

  async bytes({ type, count, at }: Field): Promise<Uint8Array> {
    const length = count * (SIZES[type] ?? 1);
    if (length > MAX_VALUE_LENGTH) throw new LimitExceeded('picture metadata');
    const bytes = await this.#look(at, length);
    if (bytes.length < length) throw new CorruptInput('truncated TIFF data');
    return bytes;
  }

  async #look(at: number, length: number): Promise<Uint8Array> {
    this.#read += length;
    if (this.#read > MAX_BYTES) throw new LimitExceeded('picture metadata');
    return await this.#input.read(at, at + length);
  }

  /** Whole numbers and fractions; NaN for what is neither. */
  async numbers(field: Field | undefined): Promise<number[]> {
    if (field === undefined) return [];
    const count = Math.min(field.count, MAX_NUMBERS);
    const view = viewOf(await this.bytes({ ...field, count }));
    return Array.from({ length: count }, (_, index) => this.#number(view, field.type, index));
  }

  #number(view: DataView, type: number, index: number): number {
    if (type === SHORT) return view.getUint16(2 * index, this.little);
    if (type === LONG) return view.getUint32(4 * index, this.little);
    if (type === RATIONAL)
      return view.getUint32(8 * index, this.little) / view.getUint32(8 * index + 4, this.little);
    if (type === SIGNED_RATIONAL)
      return view.getInt32(8 * index, this.little) / view.getInt32(8 * index + 4, this.little);
    return type === 1 ? view.getUint8(index) : Number.NaN;
  }
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
}
