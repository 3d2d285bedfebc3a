import { CorruptInput } from '../../../extraction-error.ts';
import { PpmdLinks } from './links.ts';
import { PpmdMemory } from './memory-h.ts';
import { SYMBOL } from './units.ts';

export const MAX_FREQUENT = 124;
export const MAX_ORDER = 64;

/** Variant H. */
export class PpmdContexts extends PpmdLinks<PpmdMemory> {
  readonly #path = new Int32Array(MAX_ORDER + 1);

  constructor(size: number) {
    super(new PpmdMemory(size));
  }

  /** Of a context that has it. */
  find(context: number, byte: number): number {
    const { bytes, words } = this.memory;
    if (words[context >> 1] === 1) return context + 2;
    const first = this.symbolsOf(context);
    for (let symbol = first; symbol < first + SYMBOL * words[context >> 1]!; symbol += SYMBOL)
      if (bytes[symbol] === byte) return symbol;
    throw new CorruptInput('ppmd data');
  }

  /** For a context that had one symbol; `count`: how many the context has in which the new one was found. 0: there is no memory. */
  makeList(context: number, count: number, firstEscape: number): number {
    const { memory } = this;
    const { bytes, words, longs } = memory;
    const symbols = memory.symbols(1);
    if (symbols === 0) return 0;
    bytes.copyWithin(symbols, context + 2, context + 2 + SYMBOL);
    longs[(context >> 2) + 1] = symbols;
    const before = bytes[symbols + 1]!;
    const frequency = before < MAX_FREQUENT / 4 - 1 ? 2 * before : MAX_FREQUENT - 4;
    bytes[symbols + 1] = frequency;
    words[(context >> 1) + 1] = frequency + firstEscape + (count > 3 ? 1 : 0);
    return symbols;
  }

  /** Room for one symbol more. 0: there is no memory. */
  extendList(context: number, own: number, count: number): number {
    const { memory } = this;
    const { words, longs } = memory;
    let symbols = this.symbolsOf(context);
    if ((own & 1) === 0) {
      symbols = memory.grow(symbols, own >> 1);
      if (symbols === 0) return 0;
      longs[(context >> 2) + 1] = symbols;
    }
    const sum = words[(context >> 1) + 1]!;
    const isSmall = 4 * own <= count && sum <= 8 * own;
    words[(context >> 1) + 1] = sum + (2 * own < count ? 1 : 0) + (isSmall ? 2 : 0);
    return symbols;
  }

  /** Removes the other symbols; this many are left. */
  drop(context: number, symbols: number, count: number, left: number): void {
    const { memory } = this;
    memory.words[context >> 1] = left;
    const [before, after] = [(count + 1) >> 1, (left + 1) >> 1];
    if (before !== after) memory.longs[(context >> 2) + 1] = memory.shrink(symbols, before, after);
  }

  /** Only the first symbol is left; returns its new address. */
  makeSingle(context: number, symbols: number, count: number, escaped: number): number {
    const { memory } = this;
    const { bytes, words } = memory;
    let frequency = bytes[symbols + 1]!;
    let rest = escaped;
    do {
      frequency -= frequency >> 1;
      rest >>= 1;
    } while (rest > 1);
    words[context >> 1] = 1;
    bytes.copyWithin(context + 2, symbols, symbols + SYMBOL);
    bytes[context + 3] = frequency;
    memory.release(symbols, (count + 1) >> 1);
    return context + 2;
  }

  /**
   * Creates contexts for the symbol `found` after the context `from` (unless it is skipped) and all shorter ones, up to one that exists.
   * Returns the longest of them; 0: out of memory.
   */
  makeContexts(found: number, from: number, skip: boolean): number {
    const { bytes } = this.memory;
    const path = this.#path;
    const branch = this.leads(found);
    let context = from;
    let length = 0;
    if (!skip) path[length++] = found;
    while (this.shorter(context) !== 0) {
      context = this.shorter(context);
      const symbol = this.find(context, bytes[found]!);
      const leads = this.leads(symbol);
      if (leads !== branch) {
        context = leads;
        if (length === 0) return context;
        break;
      }
      path[length++] = symbol;
    }
    const frequency = this.#firstFrequency(context, bytes[branch]!);
    while (length > 0 && context !== 0) context = this.#make(context, branch, frequency, path[--length]!);
    return context;
  }

  #make(shorter: number, branch: number, frequency: number, from: number): number {
    const { memory } = this;
    const context = memory.context();
    if (context === 0) return 0;
    memory.words[context >> 1] = 1;
    memory.bytes[context + 2] = memory.bytes[branch]!;
    memory.bytes[context + 3] = frequency;
    this.lead(context + 2, branch + 1);
    memory.longs[(context >> 2) + 2] = shorter;
    this.lead(from, context);
    return context;
  }

  #firstFrequency(context: number, byte: number): number {
    const { bytes, words } = this.memory;
    const symbol = this.find(context, byte);
    if (words[context >> 1] === 1) return bytes[symbol + 1]!;
    const own = bytes[symbol + 1]! - 1;
    const others = words[(context >> 1) + 1]! - words[context >> 1]! - own;
    if (2 * own <= others) return 5 * own > others ? 2 : 1;
    return (1 + Math.floor((2 * own + 3 * others - 1) / (2 * others))) & 0xff;
  }
}
