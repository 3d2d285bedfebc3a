import { CorruptInput } from '../../../extraction-error.ts';

/** Where a range coder's bytes come from. */
export interface PpmdInput {
  next(): number;
}

/** Whole numbers of 32 bits without a sign. */
export interface PpmdCoder {
  /** Where in so many parts of the range the code is; the range is one of them then. */
  threshold(total: number): number;
  /** To so many of them. */
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

/** The one of zip, which gives up some of its range instead of carrying into bytes that were written. */
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
    // More parts were asked for than it can have: only nonsense does that.
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
