import { CorruptInput } from '../../../extraction-error.ts';

/** The input of a range coder. */
export interface PpmdInput {
  next(): number;
}

/** Whole numbers of 32 bits without a sign. */
export interface PpmdCoder {
  /** Divides the range into `total` parts and returns the part that contains the code. */
  threshold(total: number): number;
  /** Narrows the range to some of the parts. */
  narrow(start: number, size: number): void;
  /** A zero has `p` of 2^14 parts. */
  bit(p: number): number;
}

const BIN_BITS = 14;
const TOP = 2 ** 24;
const BOTTOM = 2 ** 15;

/** The one of 7z. */
export class SevenZipCoder implements PpmdCoder {
  readonly #input: PpmdInput;
  #range = 0xffffffff;
  #code: number;

  constructor(input: PpmdInput, code: number) {
    this.#input = input;
    this.#code = code;
  }

  threshold(total: number): number {
    this.#range = (this.#range / total) >>> 0;
    return (this.#code / this.#range) >>> 0;
  }

  narrow(start: number, size: number): void {
    this.#code -= start * this.#range;
    this.#range *= size;
    this.#normalize();
  }

  bit(p: number): number {
    const bound = (this.#range >>> BIN_BITS) * p;
    const isZero = this.#code < bound;
    if (!isZero) this.#code -= bound;
    this.#range = isZero ? bound : this.#range - bound;
    this.#normalize();
    return isZero ? 0 : 1;
  }

  #normalize(): void {
    while (this.#range < TOP) {
      this.#code = ((this.#code << 8) | this.#input.next()) >>> 0;
      this.#range = (this.#range << 8) >>> 0;
    }
  }
}

/** The carryless range coder of variant I, which gives up part of its range instead of propagating carries. */
export class CarrylessCoder implements PpmdCoder {
  readonly #input: PpmdInput;
  #low = 0;
  #range = 0xffffffff;
  #code: number;

  constructor(input: PpmdInput, code: number) {
    this.#input = input;
    this.#code = code;
  }

  threshold(total: number): number {
    this.#range = (this.#range / total) >>> 0;
    return (this.#code / this.#range) >>> 0;
  }

  narrow(start: number, size: number): void {
    const offset = Math.imul(start, this.#range);
    this.#low = (this.#low + offset) >>> 0;
    this.#code = (this.#code - offset) >>> 0;
    this.#range = Math.imul(this.#range, size) >>> 0;
    // More parts were requested than the range has, which only happens with corrupt data.
    if (this.#range === 0) throw new CorruptInput('ppmd data');
    while (this.#isNarrow()) {
      this.#code = ((this.#code << 8) | this.#input.next()) >>> 0;
      this.#range = (this.#range << 8) >>> 0;
      this.#low = (this.#low << 8) >>> 0;
    }
  }

  bit(p: number): number {
    this.#range >>>= BIN_BITS;
    const isZero = this.#code / this.#range < p;
    if (isZero) this.narrow(0, p);
    else this.narrow(p, (1 << BIN_BITS) - p);
    return isZero ? 0 : 1;
  }

  #isNarrow(): boolean {
    if ((this.#low ^ (this.#low + this.#range)) >>> 0 < TOP) return true;
    if (this.#range >= BOTTOM) return false;
    this.#range = -this.#low & (BOTTOM - 1);
    return true;
  }
}
