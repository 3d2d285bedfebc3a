/** Encodes PPMd with the decoder's model; tests compare the output with that of another program. */

import { RangeEncoder } from '../lzma/range-encoder.fixture.ts';
import { PpmdModel } from './model-h.ts';
import { PpmdModelI } from './model-i.ts';
import { SYMBOL } from './units.ts';

const FIRST_ESCAPE = [25, 14, 9, 7, 5, 5, 4, 4, 4, 3, 3, 3, 2, 2, 2, 2];

/** No context has it. */
const END = -1;

/** Variant H, as in 7z. */
export function encodePpmd(bytes: Uint8Array, order: number, memory: number): Buffer {
  const coder = new RangeEncoder();
  const encoder = new PpmdEncoder(new PpmdModel(order, memory), coder);
  for (const byte of bytes) encoder.encode(byte);
  return coder.end();
}

/** Variant I, as in zip but without the two bytes before it. */
export function encodePpmdI(bytes: Uint8Array, order: number, memory: number, cutsOff: boolean): Buffer {
  const coder = new CarrylessEncoder();
  const encoder = new PpmdEncoder(new PpmdModelI(order, memory, cutsOff), coder);
  for (const byte of bytes) encoder.encode(byte);
  encoder.encode(END);
  return coder.end();
}

interface Coder {
  readonly range: number;
  /** Starts and sizes are multiples of a part of the range. */
  narrow(start: number, range: number): void;
}

class CarrylessEncoder implements Coder {
  range = 0xffffffff;
  readonly #out: number[] = [];
  #low = 0;

  narrow(start: number, range: number): void {
    this.#low = (this.#low + start) >>> 0;
    this.range = range;
    for (;;) {
      const isSettled = (this.#low ^ (this.#low + this.range)) >>> 0 < 2 ** 24;
      if (!isSettled && this.range >= 2 ** 15) return;
      if (!isSettled) this.range = -this.#low & 0x7fff;
      this.range = (this.range << 8) >>> 0;
      this.#shift();
    }
  }

  end(): Buffer {
    for (let i = 0; i < 4; i++) this.#shift();
    return Buffer.from(this.#out);
  }

  #shift(): void {
    this.#out.push(this.#low >>> 24);
    this.#low = (this.#low << 8) >>> 0;
  }
}

class PpmdEncoder {
  readonly #model: PpmdModel | PpmdModelI;
  readonly #coder: Coder;
  #masked = new Set<number>();

  constructor(model: PpmdModel | PpmdModelI, coder: Coder) {
    this.#model = model;
    this.#coder = coder;
  }

  encode(byte: number): void {
    this.#masked = new Set();
    const isSingle = this.#model.countOf(this.#model.min) === 1;
    if (!(isSingle ? this.#single(byte) : this.#ofMany(byte))) this.#escaped(byte);
  }

  /** The part of all that is the byte's. */
  #narrow(start: number, size: number, total: number): void {
    const unit = Math.floor(this.#coder.range / total);
    this.#coder.narrow(start * unit, size * unit);
  }

  #symbols(): number[] {
    const { min } = this.#model;
    const first = this.#model.symbolsOf(min);
    return Array.from({ length: this.#model.countOf(min) }, (_, i) => first + SYMBOL * i);
  }

  #ofMany(byte: number): boolean {
    const model = this.#model;
    const { bytes, words } = model.memory;
    const sum = words[(model.min >> 1) + 1]!;
    let start = 0;
    for (const [i, symbol] of this.#symbols().entries()) {
      const frequency = bytes[symbol + 1]!;
      if (i === 1) model.success = 0;
      if (bytes[symbol] === byte) {
        this.#narrow(start, frequency, sum);
        model.found = symbol;
        if (i === 0) model.updateFirst();
        else model.updateOther();
        return true;
      }
      start += frequency;
      this.#masked.add(bytes[symbol]!);
    }
    model.escape();
    this.#narrow(start, sum - start, sum);
    return false;
  }

  #single(byte: number): boolean {
    const model = this.#model;
    const { bytes } = model.memory;
    const symbol = model.min + 2;
    const bin = model.binOf(symbol);
    const p = model.estimates.bins[bin]!;
    const mean = (p + 32) >> 7;
    const bound = (this.#coder.range >>> 14) * p;
    if (bytes[symbol] === byte) {
      model.estimates.bins[bin] = p + 128 - mean;
      this.#coder.narrow(0, bound);
      model.found = symbol;
      model.updateSingle();
      return true;
    }
    model.estimates.bins[bin] = p - mean;
    // One of the coders loses what is left over when the range is parted.
    const whole =
      this.#coder instanceof CarrylessEncoder ? (this.#coder.range >>> 14) * 2 ** 14 : this.#coder.range;
    this.#coder.narrow(bound, whole - bound);
    model.firstEscape = FIRST_ESCAPE[(p - mean) >> 10]!;
    this.#masked.add(bytes[symbol]!);
    model.success = 0;
    return false;
  }

  #escaped(byte: number): void {
    const model = this.#model;
    const { bytes } = model.memory;
    for (;;) {
      const masked = model.countOf(model.min);
      do {
        if (model.shorter(model.min) === 0) return;
        model.orderFall++;
        model.min = model.shorter(model.min);
      } while (model.countOf(model.min) === masked);
      const candidates = this.#symbols().filter((symbol) => !this.#masked.has(bytes[symbol]!));
      const estimate = model.escapeOf(masked);
      const total = candidates.reduce((sum, symbol) => sum + bytes[symbol + 1]!, 0);
      const sum = total + model.estimates.takeEscape(estimate);
      const at = candidates.findIndex((symbol) => bytes[symbol] === byte);
      if (at >= 0) {
        const before = candidates.slice(0, at).reduce((start, symbol) => start + bytes[symbol + 1]!, 0);
        this.#narrow(before, bytes[candidates[at]! + 1]!, sum);
        model.estimates.learnEscape(estimate);
        model.found = candidates[at]!;
        model.updateEscaped();
        return;
      }
      this.#narrow(total, sum - total, sum);
      model.estimates.escapes[estimate]! += sum;
      for (const symbol of candidates) this.#masked.add(bytes[symbol]!);
    }
  }
}
