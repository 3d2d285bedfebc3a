import { CorruptInput } from '../../../extraction-error.ts';
import { wholeDouble } from '../whole-double.ts';

/** Maximum number of consecutive values of zero length. */
const FREE_STEPS = 10_000;
const STEPS_PER_BYTE = 64;

/** The primitive values of Avro, one after another. */
export class AvroBytes {
  readonly bytes: Uint8Array;
  #steps = 0;
  at = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  get left(): number {
    return this.bytes.length - this.at;
  }

  /** Of 32 or 64 bits; a number where that is exact. */
  long(): number | bigint {
    let value = 0;
    for (let scale = 1; scale < 2 ** 49; scale *= 128) {
      const byte = this.#byte();
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
    }
    return this.#longRest(value);
  }

  /** A length, a count, an index: nothing that is larger could be right. */
  size(): number {
    const value = this.long();
    if (!(typeof value === 'number' && value >= 0)) throw outOfData();
    return value;
  }

  /** A double if it is a whole number that an integer could be, else null. */
  wholeDouble(): number | null {
    return wholeDouble(this.bytes, this.pass(8) + 7, -1);
  }

  /** Past that many bytes; where they began. */
  pass(count: number): number {
    if (count > this.left) throw outOfData();
    this.at += count;
    return this.at - count;
  }

  /** Counts a value of possibly zero length: a schema can request any number of those. */
  step(): void {
    if (++this.#steps > FREE_STEPS + STEPS_PER_BYTE * this.at) throw outOfData();
  }

  #longRest(low: number): number | bigint {
    let value = BigInt(low);
    for (let shift = 49n; shift < 70n; shift += 7n) {
      const byte = this.#byte();
      value |= BigInt(byte & 0x7f) << shift;
      if (byte >= 0x80) continue;
      const signed = BigInt.asIntN(64, (value >> 1n) ^ -(value & 1n));
      return Number.isSafeInteger(Number(signed)) ? Number(signed) : signed;
    }
    throw outOfData();
  }

  #byte(): number {
    const byte = this.bytes[this.at++];
    if (byte === undefined) throw outOfData();
    return byte;
  }
}

export function outOfData(): CorruptInput {
  return new CorruptInput('Avro data');
}
