import { CorruptInput } from '../../../extraction-error.ts';

/** SQLite's own: the highest bits first, and the ninth byte counts whole. */
export class Varints {
  readonly #bytes: Uint8Array;
  readonly #end: number;
  at: number;

  constructor(bytes: Uint8Array, at: number, end: number) {
    this.#bytes = bytes;
    this.at = at;
    this.#end = end;
  }

  /** A number where that is exact; of 64 bits with a sign. */
  next(): number | bigint {
    // Most are a single byte.
    const first = this.at < this.#end ? this.#bytes[this.at]! : 0x80;
    if (first < 0x80) {
      this.at++;
      return first;
    }
    let value = 0;
    for (let i = 0; i < 7; i++) {
      const byte = this.#byte();
      value = value * 128 + (byte & 0x7f);
      if (byte < 0x80) return value;
    }
    const eighth = this.#byte();
    const whole = (BigInt(value) << 7n) | BigInt(eighth & 0x7f);
    const all = eighth < 0x80 ? whole : BigInt.asIntN(64, (whole << 8n) | BigInt(this.#byte()));
    return Number.isSafeInteger(Number(all)) ? Number(all) : all;
  }

  #byte(): number {
    if (this.at >= this.#end) throw new CorruptInput('SQLite record');
    return this.#bytes[this.at++]!;
  }
}
