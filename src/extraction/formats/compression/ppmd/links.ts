import { type PpmdUnits, SYMBOL } from './units.ts';

/**
 * The context tree. A context represents some previous bytes: the number of symbols that followed them (2 bytes, the second of which has
 * flags in variant I), the sum of their frequencies (2), their address (4), and the address of the context that is one byte shorter (4).
 * A single symbol is stored in place of sum and address. A symbol has its byte, its frequency (1), and its successor (4): a context, or
 * the position in the text from which one will be created.
 */
export class PpmdLinks<Memory extends PpmdUnits> {
  readonly memory: Memory;

  constructor(memory: Memory) {
    this.memory = memory;
  }

  symbolsOf(context: number): number {
    return this.memory.longs[(context >> 2) + 1]!;
  }

  shorter(context: number): number {
    return this.memory.longs[(context >> 2) + 2]!;
  }

  /** To where. */
  leads(symbol: number): number {
    const { words } = this.memory;
    return words[(symbol >> 1) + 1]! | (words[(symbol >> 1) + 2]! << 16);
  }

  lead(symbol: number, to: number): void {
    const { words } = this.memory;
    words[(symbol >> 1) + 1] = to;
    words[(symbol >> 1) + 2] = to >>> 16;
  }

  /** With the symbol before it. */
  swap(symbol: number): void {
    const { words } = this.memory;
    for (let at = symbol >> 1; at < (symbol + SYMBOL) >> 1; at++) {
      const kept = words[at]!;
      words[at] = words[at - 3]!;
      words[at - 3] = kept;
    }
  }

  /** Shifts the symbols in between. */
  moveUp(symbol: number, place: number): void {
    if (symbol === place) return;
    const { bytes } = this.memory;
    const kept = bytes.slice(symbol, symbol + SYMBOL);
    bytes.copyWithin(place + SYMBOL, place, symbol);
    bytes.set(kept, place);
  }

  /** The symbols that a model begins with: all bytes, each as frequent as the others, and leading nowhere. */
  writeAll(symbols: number): void {
    const { bytes } = this.memory;
    for (let i = 0; i < 256; i++) {
      bytes[symbols + SYMBOL * i] = i;
      bytes[symbols + SYMBOL * i + 1] = 1;
      this.lead(symbols + SYMBOL * i, 0);
    }
  }

  /** Halves the frequencies of symbols, of which the first was found last, and keeps them in order. */
  halve(symbols: number, count: number, adder: number): Halved {
    const { bytes } = this.memory;
    let before = bytes[symbols + 1]!;
    let after = (before + 4 + adder) >> 1;
    bytes[symbols + 1] = after;
    for (let symbol = symbols + SYMBOL; symbol < symbols + SYMBOL * count; symbol += SYMBOL) {
      const frequency = (bytes[symbol + 1]! + adder) >> 1;
      before += bytes[symbol + 1]!;
      after += frequency;
      bytes[symbol + 1] = frequency;
      let place = symbol;
      while (place > symbols && frequency > bytes[place + 1 - SYMBOL]!) place -= SYMBOL;
      this.moveUp(symbol, place);
    }
    let left = count;
    while (bytes[symbols + SYMBOL * (left - 1) + 1] === 0) left--;
    return { before, after, left };
  }
}

/** Sums of frequencies, and how many symbols have one still. */
interface Halved {
  readonly before: number;
  readonly after: number;
  readonly left: number;
}
