/**
 * The records of a part of a binary workbook [MS-XLSB]: each has a type and a length, with seven bits per byte, and its data. As with
 * xmlTokens, the records of a chunk must be consumed by `next` before another chunk is requested.
 *
 * Format: [MS-XLSB] section 2.1.4. For the reason why no library is used see ../excel.ts.
 */
import type { ZipMember } from '../../../../archives/zip/zip-directory.ts';
import { CorruptInput } from '../../../../extraction-error.ts';

/** Parts of a package that have a name like this are no XML. */
export function isBinary(part: ZipMember): boolean {
  return /\.bin$/i.test(part.name);
}

/** The types of the first and the last record of a part. */
export type Frame = readonly [begins: number, ends: number];

export async function* binaryRecords(part: ZipMember, frame: Frame): AsyncGenerator<BinaryRecords> {
  const records = new BinaryRecords(frame);
  for await (const chunk of part.bytes()) {
    records.push(chunk);
    yield records;
  }
  records.finish();
}

/** Far more than any program writes: a cell's text has 32767 characters at most. */
const MAX_LENGTH = 16 * 1024 * 1024;
const MORE = 0x80;
const TYPE_BYTES = 2;
const LENGTH_BYTES = 4;

export class BinaryRecords {
  readonly #frame: Frame;
  #begun = false;
  type = 0;
  /** The data is `bytes[from, to)`. */
  bytes: Buffer = Buffer.alloc(0);
  from = 0;
  to = 0;
  #at = 0;
  /** A record that the chunks before have begun. */
  #buffered: Buffer[] = [];
  #heldLength = 0;
  #needed = 0;

  constructor(frame: Frame) {
    this.#frame = frame;
  }

  push(chunk: Uint8Array): void {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
    this.#at = 0;
    if (this.#heldLength + bytes.length < this.#needed) {
      this.#hold(bytes);
      this.bytes = NONE;
    } else {
      this.bytes = this.#heldLength === 0 ? bytes : Buffer.concat([...this.#buffered, bytes]);
      this.#buffered = [];
      this.#heldLength = 0;
      this.#needed = 0;
    }
  }

  /** Advances to the next record; false: more bytes are needed. */
  next(): boolean {
    const { bytes } = this;
    let at = this.#at;
    if (at === bytes.length) return false;
    let type = bytes[at++]!;
    if (type >= MORE) type = (type & 0x7f) | ((bytes[at++]! & 0x7f) << 7);
    let length = 0;
    for (let i = 0; i < LENGTH_BYTES; i++) {
      const byte = bytes[at++]!;
      length |= (byte & 0x7f) << (7 * i);
      if (byte < MORE) break;
    }
    if (length > MAX_LENGTH) throw new CorruptInput('workbook record');
    if (at > bytes.length) return this.#wait(0);
    if (!this.#begun && type !== this.#frame[0]) throw new CorruptInput('workbook record');
    if (at + length > bytes.length) return this.#wait(at + length);
    this.#begun = true;
    this.type = type;
    this.from = at;
    this.to = at + length;
    this.#at = this.to;
    return true;
  }

  /** After the last record. */
  finish(): void {
    if (this.#heldLength > 0 || this.type !== this.#frame[1]) throw new CorruptInput('truncated workbook');
  }

  /** `to`: where the record will end; 0: its head is cut. */
  #wait(to: number): false {
    const rest = this.bytes.subarray(this.#at);
    this.#needed = to === 0 ? Math.min(rest.length + 1, TYPE_BYTES + LENGTH_BYTES) : to - this.#at;
    this.#hold(rest);
    this.#at = this.bytes.length;
    return false;
  }

  /** Copied, because the chunk's memory is reused. */
  #hold(bytes: Buffer): void {
    this.#buffered.push(Buffer.from(bytes));
    this.#heldLength += bytes.length;
  }
}

const NONE = Buffer.alloc(0);
