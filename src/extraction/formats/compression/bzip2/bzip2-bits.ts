import { CorruptInput } from '../../../extraction-error.ts';

/** Reads bits from bytes, the highest first. Reading past the end means that the file is truncated. */
export class BitReader {
  readonly #bytes: Uint8Array;
  #next = 0;
  #buffered = 0; // bits read from the bytes but not yet returned, at the low end
  #count = 0;

  constructor(bytes: Uint8Array, skip: number) {
    this.#bytes = bytes;
    if (skip > 0) this.bits(skip);
  }

  /** Up to 24 at once. */
  bits(count: number): number {
    while (this.#count < count) this.#load();
    this.#count -= count;
    return (this.#buffered >>> this.#count) & ((1 << count) - 1);
  }

  bit(): number {
    if (this.#count === 0) this.#load();
    return (this.#buffered >>> --this.#count) & 1;
  }

  word(): number {
    return ((this.bits(16) << 16) | this.bits(16)) >>> 0;
  }

  /** The number of bits returned since the beginning. */
  get position(): number {
    return this.#next * 8 - this.#count;
  }

  #load(): void {
    if (this.#next === this.#bytes.length) throw new CorruptInput('truncated bzip2 data');
    this.#buffered = (this.#buffered << 8) | this.#bytes[this.#next++]!;
    this.#count += 8;
  }
}

// CRC-32 with the highest bit first, unlike the one of gzip.
const table = new Uint32Array(256);
for (let byte = 0; byte < 256; byte++) {
  let crc = byte << 24;
  for (let bit = 0; bit < 8; bit++) crc = crc < 0 ? (crc << 1) ^ 0x04c11db7 : crc << 1;
  table[byte] = crc;
}

/** Continues from `crc`; start with -1 and invert the result. */
export function crcOf(bytes: Uint8Array, crc: number): number {
  for (let i = 0; i < bytes.length; i++) crc = (crc << 8) ^ table[(crc >>> 24) ^ bytes[i]!]!;
  return crc;
}
