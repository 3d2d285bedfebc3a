import { CorruptInput } from '../../../../extraction-error.ts';
import type { BinaryRecords } from './binary-records.ts';

/** A text that is not there at all. */
const NO_TEXT = 0xffffffff;

/** A text with its length before it; what reaches beyond the record is damage. */
export function wideText(bytes: Buffer, at: number, to: number): string {
  return bytes.toString('utf16le', at + 4, endOfText(bytes, at, to));
}

function endOfText(bytes: Buffer, at: number, to: number): number {
  if (at + 4 > to) throw new CorruptInput('workbook record');
  const length = bytes.readUInt32LE(at);
  const end = at + 4 + (length === NO_TEXT ? 0 : 2 * length);
  if (end > to) throw new CorruptInput('workbook record');
  return end;
}

/** The fields of a record one after another, for records that are few. */
export class RecordFields {
  readonly #bytes: Buffer;
  readonly #to: number;
  #at: number;

  constructor({ bytes, from, to }: BinaryRecords) {
    this.#bytes = bytes;
    this.#at = from;
    this.#to = to;
  }

  skip(count: number): this {
    if (count > this.#to - this.#at) throw new CorruptInput('workbook record');
    this.#at += count;
    return this;
  }

  uint8(): number {
    this.skip(1);
    return this.#bytes[this.#at - 1]!;
  }

  uint16(): number {
    this.skip(2);
    return this.#bytes.readUInt16LE(this.#at - 2);
  }

  uint32(): number {
    this.skip(4);
    return this.#bytes.readUInt32LE(this.#at - 4);
  }

  float(): number {
    this.skip(8);
    return this.#bytes.readDoubleLE(this.#at - 8);
  }

  text(): string {
    const from = this.#at + 4;
    this.#at = endOfText(this.#bytes, this.#at, this.#to);
    return this.#bytes.toString('utf16le', from, this.#at);
  }

  /** Characters whose count is stored elsewhere. */
  characters(count: number): string {
    this.skip(2 * count);
    return this.#bytes.toString('utf16le', this.#at - 2 * count, this.#at);
  }

  get left(): number {
    return this.#to - this.#at;
  }
}
