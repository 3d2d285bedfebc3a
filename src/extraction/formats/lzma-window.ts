import { Damage, Limit } from '../obstacle.ts';

/** Whatever a file asks for, this much of what came out is remembered at most. */
const MOST = 256 * 1024 * 1024;
const LEAST = 64 * 1024;
const PIECE = 256 * 1024;

/**
 * What came out last, for matches to copy from: a ring, which grows with what comes out and not by what a header
 * claims. Its size is always a multiple of 16, so that its places tell positions as the format's contexts need them.
 */
export class LzmaWindow {
  bytes: Uint8Array<ArrayBuffer> = new Uint8Array(LEAST);
  #view = new DataView(this.bytes.buffer);
  /** Where the next byte goes. */
  at = 0;
  /** The ring was closed: all of it can be copied from. */
  full = false;
  readonly #dictionary: number;
  readonly #size: number;
  #given = 0;

  constructor(dictionary: number, most = MOST) {
    this.#dictionary = dictionary;
    this.#size = Math.max(LEAST, 16 * Math.ceil(Math.min(dictionary, most) / 16));
  }

  /** Up to where may be written now, if `left` bytes are still to come. Everything before must have been taken. */
  room(left: number): number {
    if (this.at === this.bytes.length) this.#goOn();
    return Math.min(this.bytes.length, this.at + Math.min(left, PIECE));
  }

  /** What was written since; valid until more is. */
  take(): Uint8Array {
    const piece = this.bytes.subarray(this.#given, this.at);
    this.#given = this.at;
    return piece;
  }

  reset(): void {
    this.at = 0;
    this.#given = 0;
    this.full = false;
  }

  /** The last byte; a zero at the beginning. */
  before(): number {
    if (this.at > 0) return this.bytes[this.at - 1]!;
    return this.full ? this.bytes[this.bytes.length - 1]! : 0;
  }

  /** The byte before `at`, with `distance` others between. */
  back(distance: number, at: number): number {
    const from = at - distance - 1;
    return this.bytes[from < 0 ? from + this.bytes.length : from]!;
  }

  /** `distance`: one less than how far back. There must be room. */
  copy(distance: number, length: number): void {
    const { bytes, at } = this;
    if (distance >= (this.full ? bytes.length : at)) this.#refuse(distance);
    let from = (at - distance - 1) | 0;
    if (from < 0) from += bytes.length;
    const end = at + length;
    let to = at;
    // Four at a time, unless it repeats what it has just written or goes around the ring.
    if (distance >= 3 && from + length <= bytes.length) {
      const view = this.#view;
      for (; to + 4 <= end; to += 4, from += 4) view.setInt32(to, view.getInt32(from, true), true);
    }
    for (; to < end; to++) {
      bytes[to] = bytes[from]!;
      if (++from === bytes.length) from = 0;
    }
    this.at = end;
  }

  /** A match reaches before what is here. */
  #refuse(distance: number): never {
    if (this.full && this.#size < this.#dictionary && distance < this.#dictionary)
      throw new Limit('dictionary');
    throw new Damage('lzma data');
  }

  #goOn(): void {
    if (this.at < this.#size) {
      const larger = new Uint8Array(Math.min(this.#size, 2 * this.at));
      larger.set(this.bytes);
      this.bytes = larger;
      this.#view = new DataView(larger.buffer);
    } else {
      this.full = true;
      this.at = 0;
    }
    this.#given = this.at;
  }
}
