import { CorruptInput } from '../../../extraction-error.ts';
import type { Kernel } from './kernel/kernel.ts';

/** Reads bits and numbers from the bytes of a page. Never reads past the end. */
export class PageBytes {
  readonly bytes: Uint8Array;
  readonly end: number;
  at: number;
  #bits = 0;
  #have = 0;

  constructor(bytes: Uint8Array, at = 0, end: number = bytes.length) {
    if (at < 0 || at > end || end > bytes.length) throw endOfPage();
    this.bytes = bytes;
    this.at = at;
    this.end = end;
  }

  byte(): number {
    if (this.at >= this.end) throw endOfPage();
    return this.bytes[this.at++]!;
  }

  /** Past that many bytes; where they began. */
  pass(count: number): number {
    if (!(count >= 0 && count <= this.end - this.at)) throw endOfPage();
    this.at += count;
    return this.at - count;
  }

  /** Little-endian, as lengths are. */
  uint32(): number {
    const at = this.pass(4);
    const { bytes } = this;
    return bytes[at]! + bytes[at + 1]! * 0x100 + bytes[at + 2]! * 0x10000 + bytes[at + 3]! * 0x1000000;
  }

  varint(): number {
    let value = 0;
    for (let scale = 1; scale < 2 ** 50; scale *= 128) {
      const byte = this.byte();
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
    }
    throw endOfPage();
  }

  /** Up to 64 bits; a number where that is exact. */
  zigzag(): number | bigint {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.byte();
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return exact(BigInt.asIntN(64, (value >> 1n) ^ -(value & 1n)));
    }
    throw endOfPage();
  }

  /** The next bits, the lowest first: up to 24. */
  bits(width: number): number {
    while (this.#have < width) {
      this.#bits |= this.byte() << this.#have;
      this.#have += 8;
    }
    const value = this.#bits & ((1 << width) - 1);
    this.#bits >>>= width;
    this.#have -= width;
    return value;
  }

  /** Unpacks up to `max` values to the kernel's indexes; returns their number. The kernel must hold the page. */
  unpack(width: number, kernel: Kernel, to: number, max: number): number {
    const bit = 8 * this.at - this.#have;
    const count = width === 0 ? max : Math.min(max, Math.floor((8 * this.end - bit) / width));
    kernel.unpackBits(this.bytes, bit >>> 3, bit & 7, width, to, count);
    const end = bit + count * width;
    this.at = (end + 7) >>> 3;
    this.#have = 8 * this.at - end;
    this.#bits = this.#have === 0 ? 0 : this.bytes[this.at - 1]! >>> (8 - this.#have);
    return count;
  }

  /** Up to 64. */
  wideBits(width: number): number | bigint {
    if (width <= 24) return this.bits(width);
    const low = this.bits(24);
    if (width <= 48) return low + this.bits(width - 24) * 2 ** 24;
    const middle = this.bits(24);
    const high = this.bits(width - 48);
    return exact((BigInt(high) << 48n) | BigInt(low + middle * 2 ** 24));
  }

  /** The remaining bits of a byte are padding. */
  dropBits(): void {
    this.#bits = 0;
    this.#have = 0;
  }
}

export function endOfPage(): CorruptInput {
  return new CorruptInput('Parquet page');
}

function exact(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}
