import { uint16, uint32 } from './biff-records.ts';

const WIDE = 1;
const PHONETIC = 4;
const RICH = 8;

/**
 * Strings that are stored in a record and its CONTINUE records. If the characters are split, the continuation begins with a byte that
 * specifies their width again; formatting and phonetics are split without it.
 */
export class BiffStrings {
  readonly #take: (text: string) => void;
  #text = '';
  #left = 0;
  #wide = 0;
  #skip = 0;
  #head: Buffer | null = null;

  constructor(take: (text: string) => void) {
    this.#take = take;
  }

  /** Characters are missing: a continuation must follow. */
  get open(): boolean {
    return this.#left > 0;
  }

  /** The length of the next string is stored elsewhere; the string begins with the next `feed`. */
  expect(characters: number): void {
    this.#text = '';
    this.#left = characters;
  }

  feed(bytes: Buffer, from: number, to: number): void {
    if (this.#head !== null) {
      const joined = Buffer.concat([this.#head, bytes.subarray(from, to)]);
      this.#head = null;
      return this.feed(joined, 0, joined.length);
    }
    let at = from;
    if (this.#left > 0 && at < to) {
      this.#wide = bytes[at]! & WIDE;
      at = this.#characters(bytes, at + 1, to);
    }
    while (this.#left === 0) {
      const skipped = Math.min(this.#skip, to - at);
      this.#skip -= skipped;
      at += skipped;
      if (at >= to) return;
      const begin = this.#begin(bytes, at, to);
      if (begin === at) return;
      at = this.#characters(bytes, begin, to);
    }
  }

  /** The start of the string's characters; the same position if its head is split. */
  #begin(bytes: Buffer, at: number, to: number): number {
    const flags = bytes[at + 2] ?? 0;
    const rich = flags & RICH ? 2 : 0;
    const phonetic = flags & PHONETIC ? 4 : 0;
    const begin = at + 3 + rich + phonetic;
    if (begin > to) {
      this.#head = Buffer.from(bytes.subarray(at, to));
      return at;
    }
    this.#wide = flags & WIDE;
    this.#skip = (rich && uint16(bytes, at + 3) * 4) + (phonetic && uint32(bytes, at + 3 + rich));
    this.expect(uint16(bytes, at));
    return begin;
  }

  #characters(bytes: Buffer, at: number, to: number): number {
    const count = Math.min(this.#left, (to - at) >> this.#wide);
    const end = at + (count << this.#wide);
    const text = bytes.toString(this.#wide ? 'utf16le' : 'latin1', at, end);
    this.#left -= count;
    if (this.#left > 0) this.#text += text;
    else this.#take(this.#text === '' ? text : this.#text + text);
    return end;
  }
}

/** A string that isn't continued, with its length in one byte or two before it. Damaged ones are shorter. */
export function biffString(bytes: Buffer, at: number, to: number, lengthBytes: 1 | 2): string {
  const characters = lengthBytes === 1 ? (bytes[at] ?? 0) : uint16(bytes, at);
  const begin = at + lengthBytes + 1;
  const wide = (bytes[begin - 1] ?? 0) & WIDE;
  const end = Math.min(to, begin + (characters << wide));
  return begin < end ? bytes.toString(wide ? 'utf16le' : 'latin1', begin, end) : '';
}
