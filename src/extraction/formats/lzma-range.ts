import { Damage } from '../obstacle.ts';

/** A probability is of a zero, in 2048ths; it moves by a 32nd of the way with each bit. */
const EVEN = 1024;

/**
 * Bits, each with a probability that learns. Numbers of 32 bits are kept as signed ones, which the engine keeps in
 * registers; the three that change with every bit are local variables wherever bits are read in a row, and fields
 * between. That is why the same ten lines stand here three times: a call for each bit would cost a third of the speed.
 */
export class RangeDecoder {
  input: Uint8Array = new Uint8Array(0);
  /** Beyond the input's end there are zeros; whoever reads sees by this place that they were not there. */
  at = 0;
  range = 0;
  code = 0;
  probs: Uint16Array = new Uint16Array(0);

  /** So many probabilities, all even. */
  reset(count: number): void {
    if (this.probs.length !== count) this.probs = new Uint16Array(count);
    this.probs.fill(EVEN);
  }

  /** The first five bytes of a stretch. */
  start(first: Uint8Array): void {
    if (first.length < 5) throw new Damage('truncated lzma data');
    if (first[0] !== 0) throw new Damage('lzma data');
    this.range = -1;
    this.code = (first[1]! << 24) | (first[2]! << 16) | (first[3]! << 8) | first[4]!;
  }

  keep(at: number, range: number, code: number): void {
    this.at = at;
    this.range = range;
    this.code = code;
  }

  bit(index: number): number {
    const { probs, range, code } = this;
    const p = probs[index]!;
    const bound = Math.imul(range >>> 11, p);
    let bit = 0;
    if (code >>> 0 < bound >>> 0) {
      this.range = bound;
      probs[index] = p + ((2048 - p) >> 5);
    } else {
      this.range = (range - bound) | 0;
      this.code = (code - bound) | 0;
      probs[index] = p - (p >> 5);
      bit = 1;
    }
    this.normalize();
    return bit;
  }

  /** Done after every bit, so that at a stretch's end all its bytes are read. */
  normalize(): void {
    if (this.range >>> 24 !== 0) return;
    this.range <<= 8;
    this.code = (this.code << 8) | this.input[this.at++]!;
  }

  /** A number below `size`, a power of two: its highest bit first, each with the bits before as context. */
  tree(base: number, size: number): number {
    const { probs, input } = this;
    let { at, range, code } = this;
    let symbol = 1;
    while (symbol < size) {
      const p = probs[base + symbol]!;
      const bound = Math.imul(range >>> 11, p);
      if (code >>> 0 < bound >>> 0) {
        range = bound;
        probs[base + symbol] = p + ((2048 - p) >> 5);
        symbol <<= 1;
      } else {
        range = (range - bound) | 0;
        code = (code - bound) | 0;
        probs[base + symbol] = p - (p >> 5);
        symbol = (symbol << 1) | 1;
      }
      if (range >>> 24 === 0) {
        range <<= 8;
        code = (code << 8) | input[at++]!;
      }
    }
    this.keep(at, range, code);
    return symbol - size;
  }

  /** The same with the lowest bit first. */
  reverseTree(base: number, bits: number): number {
    const { probs, input } = this;
    let { at, range, code } = this;
    let symbol = 1;
    let value = 0;
    for (let one = 1; one >> bits === 0; one <<= 1) {
      const p = probs[base + symbol]!;
      const bound = Math.imul(range >>> 11, p);
      if (code >>> 0 < bound >>> 0) {
        range = bound;
        probs[base + symbol] = p + ((2048 - p) >> 5);
        symbol <<= 1;
      } else {
        range = (range - bound) | 0;
        code = (code - bound) | 0;
        probs[base + symbol] = p - (p >> 5);
        symbol = (symbol << 1) | 1;
        value |= one;
      }
      if (range >>> 24 === 0) {
        range <<= 8;
        code = (code << 8) | input[at++]!;
      }
    }
    this.keep(at, range, code);
    return value;
  }

  /** Bits that are as likely as not, without a branch: the sign tells. */
  direct(bits: number): number {
    const { input } = this;
    let { at, range, code } = this;
    let value = 0;
    for (let i = 0; i < bits; i++) {
      range >>>= 1;
      code = (code - range) | 0;
      const below = code >> 31;
      code = (code + (range & below)) | 0;
      value = (value << 1) + below + 1;
      if (range >>> 24 === 0) {
        range <<= 8;
        code = (code << 8) | input[at++]!;
      }
    }
    this.keep(at, range, code);
    return value;
  }

  /**
   * The first bits of a literal behind a match. It is unlike the byte that the match would have gone on with, so that
   * byte's bits are contexts too, up to the first that differs. The bits so far, behind a one.
   */
  unlike(base: number, expected: number): number {
    let symbol = 1;
    for (let rest = expected << 1; symbol < 0x100; rest <<= 1) {
      const hoped = (rest >> 8) & 1;
      const bit = this.bit(base + ((1 + hoped) << 8) + symbol);
      symbol = (symbol << 1) | bit;
      if (bit !== hoped) break;
    }
    return symbol;
  }
}
