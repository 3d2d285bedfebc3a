import { CorruptInput, LimitExceeded, Unsupported } from '../../extraction-error.ts';

/** A yes or no for each of many things, the highest bit first. */
export interface Bits {
  has(index: number): boolean;
}

export const ALL: Bits = { has: () => true };
export const NONE: Bits = { has: () => false };

/** Files, folders or streams, twice as many as entries are read by default. */
export const MAX_COUNT = 2_000_000;

/** A header's bytes, one field after another. Nothing is read beyond its end. */
export class HeaderReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get at(): number {
    return this.#at;
  }

  /** The bytes read since, as characters. */
  textSince(start: number): string {
    return Buffer.from(this.#bytes.subarray(start, this.#at)).toString('latin1');
  }

  get left(): number {
    return this.#bytes.length - this.#at;
  }

  byte(): number {
    return this.take(1)[0]!;
  }

  word(): number {
    this.take(4);
    return this.#view.getUint32(this.#at - 4, true);
  }

  take(count: number): Uint8Array {
    if (count > this.left) throw new CorruptInput('7z header');
    this.#at += count;
    return this.#bytes.subarray(this.#at - count, this.#at);
  }

  /** The next bytes as a header of their own. */
  within(count: number): HeaderReader {
    return new HeaderReader(this.take(count));
  }

  /** The number of leading one bits in the first byte is the number of bytes that follow; its remaining bits are the highest. */
  number(): number {
    const first = this.byte();
    const more = Math.clz32(~(first << 24));
    let low = 0;
    for (let i = 0; i < Math.min(more, 8); i++) low += this.byte() * 2 ** (8 * i);
    const value = low + (more < 8 ? (first & (0x7f >> more)) * 2 ** (8 * more) : 0);
    if (value > Number.MAX_SAFE_INTEGER) throw new CorruptInput('7z header');
    return value;
  }

  /** A count of items that each take at least `bytes` of the rest and are kept in memory. */
  count(bytes = 1): number {
    const count = this.number();
    if (count * bytes > this.left) throw new CorruptInput('7z header');
    if (count > MAX_COUNT) throw new LimitExceeded('7z header');
    return count;
  }

  bits(count: number): Bits {
    const bytes = this.take(Math.ceil(count / 8));
    return { has: (index) => index < count && (bytes[index >> 3]! & (0x80 >> (index & 7))) !== 0 };
  }

  /** Sums of those that have one. */
  sums(count: number): (number | null)[] {
    const defined = this.byte() !== 0 ? ALL : this.bits(count);
    return Array.from({ length: count }, (_, i) => (defined.has(i) ? this.word() : null));
  }

  expect(needed: number): void {
    if (this.byte() !== needed) throw new CorruptInput('7z header');
  }

  /** Some fields could be stored in a separate stream; no known program does that. */
  refuseExternal(): void {
    if (this.byte() !== 0) throw new Unsupported('7z archive with parts elsewhere');
  }
}
