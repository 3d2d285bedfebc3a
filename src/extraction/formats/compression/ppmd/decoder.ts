import type { PpmdModel } from './model-h.ts';
import type { PpmdModelI } from './model-i.ts';
import type { PpmdCoder } from './range-coders.ts';
import { SYMBOL } from './units.ts';

export const MAX_INPUT = 64 * 1024;
/** Upper bound for the bytes of a symbol with all its escapes. */
export const MAX_SYMBOL_LENGTH = 1024;
const OUT = 64 * 1024;

const PERIOD = 7;
const INTERVAL = 1 << PERIOD;
const FIRST_ESCAPE = [25, 14, 9, 7, 5, 5, 4, 4, 4, 3, 3, 3, 2, 2, 2, 2];

/** The buffered input of a range coder. */
export class PpmdBytes {
  at = 0;
  end = 0;
  readonly #input = new Uint8Array(MAX_INPUT + MAX_SYMBOL_LENGTH);

  /** Bytes after its end read as zeros; `at` reveals whether they were read. */
  feed(input: Uint8Array): void {
    this.#input.set(input);
    this.#input.fill(0, input.length, input.length + MAX_SYMBOL_LENGTH);
    this.end = input.length;
    this.at = 0;
  }

  next(): number {
    return this.#input[this.at++]!;
  }
}

/** Symbol after symbol, as the model foresees them. */
export class PpmdDecoder {
  /** Why there is no symbol any more. */
  failure: 'truncated ppmd data' | 'ppmd data' | null = null;
  readonly #model: PpmdModel | PpmdModelI;
  readonly #coder: PpmdCoder;
  readonly #input: PpmdBytes;
  readonly #out = new Uint8Array(OUT);
  readonly #masked = new Uint8Array(256); // in this round: `#round`
  readonly #candidates = new Int32Array(256);
  #round = 0;
  #total = 0; // of the candidates' frequencies

  constructor(model: PpmdModel | PpmdModelI, coder: PpmdCoder, input: PpmdBytes) {
    this.#model = model;
    this.#coder = coder;
    this.#input = input;
  }

  /** The model's memory in bytes: total, and touched so far. */
  get memory(): { readonly size: number; readonly touched: number } {
    return this.#model.memory;
  }

  /** It is not used any more. */
  close(): void {
    this.#model.memory.close();
  }

  /** At most `most` bytes, decoded from symbols that begin at `last` or before. */
  decode(last: number, max: number): Uint8Array {
    const out = this.#out;
    const end = Math.min(out.length, max);
    let to = 0;
    while (to < end && this.#input.at <= last) {
      const symbol = this.#symbol();
      if (this.#input.at > this.#input.end) this.failure = 'truncated ppmd data';
      else if (symbol === NONE) this.failure = 'ppmd data';
      if (this.failure !== null) break;
      out[to++] = symbol;
    }
    return out.subarray(0, to);
  }

  /** Negative: there is none. */
  #symbol(): number {
    const isSingle = this.#model.countOf(this.#model.min) === 1;
    const symbol = isSingle ? this.#single() : this.#ofMany();
    return symbol === ESCAPE ? this.#escaped() : symbol;
  }

  #ofMany(): number {
    const model = this.#model;
    const { bytes, words } = model.memory;
    const sum = words[(model.min >> 1) + 1]!;
    const first = model.symbolsOf(model.min);
    const count = this.#coder.threshold(sum);
    let high = bytes[first + 1]!;
    if (count < high) {
      this.#coder.narrow(0, high);
      model.found = first;
      const symbol = bytes[first]!;
      model.updateFirst();
      return symbol;
    }
    model.success = 0;
    const end = first + SYMBOL * model.countOf(model.min);
    for (let at = first + SYMBOL; at < end; at += SYMBOL) {
      const frequency = bytes[at + 1]!;
      high += frequency;
      if (high <= count) continue;
      this.#coder.narrow(high - frequency, frequency);
      model.found = at;
      const symbol = bytes[at]!;
      model.updateOther();
      return symbol;
    }
    if (count >= sum) return NONE;
    model.escape();
    this.#coder.narrow(high, sum - high);
    this.#beginRound();
    const [marks, round] = [this.#masked, this.#round];
    for (let at = first; at < end; at += SYMBOL) marks[bytes[at]!] = round;
    return ESCAPE;
  }

  #single(): number {
    const model = this.#model;
    const { bytes } = model.memory;
    const symbol = model.min + 2;
    const bin = model.binOf(symbol);
    const p = model.estimates.bins[bin]!;
    const mean = (p + (1 << (PERIOD - 2))) >> PERIOD;
    if (this.#coder.bit(p) === 0) {
      model.estimates.bins[bin] = p + INTERVAL - mean;
      model.found = symbol;
      const byte = bytes[symbol]!;
      model.updateSingle();
      return byte;
    }
    model.estimates.bins[bin] = p - mean;
    model.firstEscape = FIRST_ESCAPE[(p - mean) >> 10]!;
    this.#beginRound();
    this.#masked[bytes[symbol]!] = this.#round;
    model.success = 0;
    return ESCAPE;
  }

  /** In shorter contexts, among the symbols that the longer ones did not have. */
  #escaped(): number {
    const model = this.#model;
    const { bytes } = model.memory;
    for (;;) {
      const masked = model.countOf(model.min);
      do {
        if (model.shorter(model.min) === 0) return NONE;
        model.orderFall++;
        model.min = model.shorter(model.min);
      } while (model.countOf(model.min) === masked);
      const candidates = this.#gather(masked);
      const total = this.#total;
      const estimate = model.escapeOf(masked);
      const sum = total + model.estimates.takeEscape(estimate);
      const count = this.#coder.threshold(sum);
      if (count < total) {
        const symbol = this.#choose(count);
        model.estimates.learnEscape(estimate);
        model.found = symbol;
        const byte = bytes[symbol]!;
        model.updateEscaped();
        return byte;
      }
      if (count >= sum) return NONE;
      this.#coder.narrow(total, sum - total);
      model.estimates.escapes[estimate]! += sum;
      this.#mask(candidates);
    }
  }

  #mask(count: number): void {
    const { bytes } = this.#model.memory;
    const [marks, round, candidates] = [this.#masked, this.#round, this.#candidates];
    for (let i = 0; i < count; i++) marks[bytes[candidates[i]!]!] = round;
  }

  #gather(masked: number): number {
    const model = this.#model;
    const { bytes } = model.memory;
    const count = model.countOf(model.min);
    const [marks, round, candidates] = [this.#masked, this.#round, this.#candidates];
    const first = model.symbolsOf(model.min);
    let total = 0;
    let found = 0;
    for (let at = first; at < first + SYMBOL * count && found < count - masked; at += SYMBOL) {
      if (marks[bytes[at]!] === round) continue;
      total += bytes[at + 1]!;
      candidates[found++] = at;
    }
    this.#total = total;
    return found;
  }

  #choose(count: number): number {
    const { bytes } = this.#model.memory;
    const candidates = this.#candidates;
    for (let i = 0, high = 0; ; i++) {
      const symbol = candidates[i]!;
      const frequency = bytes[symbol + 1]!;
      high += frequency;
      if (high <= count) continue;
      this.#coder.narrow(high - frequency, frequency);
      return symbol;
    }
  }

  #beginRound(): void {
    this.#round = (this.#round + 1) & 0xff;
    if (this.#round !== 0) return;
    this.#masked.fill(0);
    this.#round = 1;
  }
}

const ESCAPE = 256;
const NONE = -1;
