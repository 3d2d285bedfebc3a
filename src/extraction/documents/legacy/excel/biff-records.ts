/** Records of BIFF: [MS-XLS] 2.1.4. */
import type { RandomAccess } from '../../../document-item.ts';

const CHUNK = 256 * 1024;

/**
 * The records of a workbook stream, each with a type, a length and its data. Iterated synchronously as far as they are buffered: `while
 * (await records.more()) while (records.next()) …`.
 */
export class BiffRecords {
  readonly #stream: RandomAccess;
  readonly #to: number;
  #read: number;
  #rest = 0;
  type = 0;
  /** The data is `bytes[from, to)`. */
  bytes: Buffer = Buffer.alloc(0);
  from = 0;
  to = 0;

  constructor(stream: RandomAccess, from: number, to: number) {
    this.#stream = stream;
    this.#read = from;
    this.#to = Math.min(to, stream.size);
  }

  /** false: there is nothing more to read. What then is left is no whole record. */
  async more(): Promise<boolean> {
    if (this.#read >= this.#to) return false;
    const chunk = await this.#stream.read(this.#read, Math.min(this.#read + CHUNK, this.#to));
    this.#read += chunk.length;
    this.bytes = Buffer.concat([this.bytes.subarray(this.#rest), chunk]);
    this.#rest = 0;
    return true;
  }

  next(): boolean {
    const from = this.#rest + 4;
    const to = from + uint16(this.bytes, this.#rest + 2);
    if (from > this.bytes.length || to > this.bytes.length) return false;
    this.type = uint16(this.bytes, this.#rest);
    this.from = from;
    this.to = to;
    this.#rest = to;
    return true;
  }

  get length(): number {
    return this.to - this.from;
  }
}

/** Beyond the end there are zeros. */
export function uint16(bytes: Uint8Array, at: number): number {
  return bytes[at]! | (bytes[at + 1]! << 8);
}

export function uint32(bytes: Uint8Array, at: number): number {
  return (uint16(bytes, at) | (uint16(bytes, at + 2) << 16)) >>> 0;
}
