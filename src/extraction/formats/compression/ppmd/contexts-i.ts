import { CorruptInput } from '../../../extraction-error.ts';
import { MAX_FREQUENT } from './contexts-h.ts';
import { PpmdLinks } from './links.ts';
import { PpmdMemoryI } from './memory-i.ts';
import { SYMBOL } from './units.ts';

export const MAX_ORDER_I = 16;
/** Flags of a context: the previous byte, or one of its symbols, is high; it was rescaled. */
const AFTER_HIGH = 0x10;
export const HAS_HIGH = 0x08;
export const RESCALED = 0x04;

/** A symbol that a context did not have, as the shorter one has it in which it was found. */
export interface NewSymbol {
  readonly byte: number;
  readonly frequency: number;
  /** The sum of the others' frequencies there, and one less than how many symbols there are. */
  readonly others: number;
  readonly last: number;
  readonly to: number;
  readonly firstEscape: number;
}

/** Variant I. A context's first byte is one less than how many symbols it has, its second one has flags. */
export class PpmdContextsI extends PpmdLinks<PpmdMemoryI> {
  readonly #path = new Int32Array(MAX_ORDER_I + 1);

  constructor(size: number) {
    super(new PpmdMemoryI(size));
  }

  sumOf(context: number): number {
    return this.memory.words[(context >> 1) + 1]!;
  }

  setSum(context: number, sum: number): void {
    this.memory.words[(context >> 1) + 1] = sum;
  }

  highOf(symbol: number): number {
    return this.memory.bytes[symbol]! >= 0x40 ? HAS_HIGH : 0;
  }

  /** Of a context that has it. */
  find(context: number, byte: number): number {
    const { bytes } = this.memory;
    if (bytes[context] === 0) return context + 2;
    const first = this.symbolsOf(context);
    for (let symbol = first; symbol <= first + SYMBOL * bytes[context]!; symbol += SYMBOL)
      if (bytes[symbol] === byte) return symbol;
    throw new CorruptInput('ppmd data');
  }

  /** Recomputes the frequencies, halved if `scale` is 1, and shrinks the list. `units`: its current size. */
  refresh(context: number, units: number, scale: 0 | 1): void {
    const { memory } = this;
    const { bytes } = memory;
    const last = bytes[context]!;
    const symbols = memory.shrink(this.symbolsOf(context), units, (last + 2) >> 1);
    memory.longs[(context >> 2) + 1] = symbols;
    let flags = bytes[context + 1]! & (AFTER_HIGH + RESCALED * scale);
    let escaped = this.sumOf(context);
    let sum = 0;
    for (let symbol = symbols; symbol <= symbols + SYMBOL * last; symbol += SYMBOL) {
      escaped -= bytes[symbol + 1]!;
      bytes[symbol + 1] = (bytes[symbol + 1]! + scale) >> scale;
      sum += bytes[symbol + 1]!;
      flags |= this.highOf(symbol);
    }
    this.setSum(context, sum + ((escaped + scale) >> scale));
    bytes[context + 1] = flags;
  }

  /** Its first symbol is the only one. */
  makeSingle(context: number, symbols: number): void {
    const { bytes } = this.memory;
    bytes[context] = 0;
    bytes[context + 1] = (bytes[context + 1]! & AFTER_HIGH) + this.highOf(symbols);
    bytes.copyWithin(context + 2, symbols, symbols + SYMBOL);
  }

  /**
   * Creates contexts for the symbol `found` after the context `from` (unless it is skipped) and all shorter ones, up to one that exists.
   * `known`: the symbol in the next shorter one, if it was already updated. Returns the longest of them; 0: out of memory.
   */
  makeContexts(found: number, from: number, skip: boolean, known: number): number {
    const { bytes } = this.memory;
    const path = this.#path;
    const branch = this.leads(found);
    let context = from;
    let length = 0;
    if (!skip) path[length++] = found;
    for (let symbol = known; this.shorter(context) !== 0; symbol = 0) {
      context = this.shorter(context);
      if (symbol === 0) symbol = this.#raise(context, bytes[found]!);
      const leads = this.leads(symbol);
      if (leads !== branch) {
        context = leads;
        if (length === 0) return context;
        break;
      }
      path[length++] = symbol;
    }
    const flags = (bytes[found]! >= 0x40 ? AFTER_HIGH : 0) + this.highOf(branch);
    const frequency = this.#firstFrequency(context, bytes[branch]!);
    while (length > 0 && context !== 0)
      context = this.#make(context, branch, flags, frequency, path[--length]!);
    return context;
  }

  #raise(context: number, byte: number): number {
    const { bytes } = this.memory;
    const symbol = this.find(context, byte);
    if (bytes[context] === 0) {
      if (bytes[this.shorter(context)] === 0 && bytes[symbol + 1]! < 24) bytes[symbol + 1]!++;
    } else if (bytes[symbol + 1]! < MAX_FREQUENT - 9) {
      bytes[symbol + 1]!++;
      this.setSum(context, this.sumOf(context) + 1);
    }
    return symbol;
  }

  #make(shorter: number, branch: number, flags: number, frequency: number, from: number): number {
    const { memory } = this;
    const { bytes } = memory;
    const context = memory.context();
    if (context === 0) return 0;
    bytes[context] = 0;
    bytes[context + 1] = flags;
    bytes[context + 2] = bytes[branch]!;
    bytes[context + 3] = frequency;
    this.lead(context + 2, branch + 1);
    memory.longs[(context >> 2) + 2] = shorter;
    this.lead(from, context);
    return context;
  }

  #firstFrequency(context: number, byte: number): number {
    const { bytes } = this.memory;
    const symbol = this.find(context, byte);
    if (bytes[context] === 0) return bytes[symbol + 1]!;
    const own = bytes[symbol + 1]! - 1;
    const others = this.sumOf(context) - bytes[context]! - own;
    if (2 * own <= others) return 5 * own > others ? 2 : 1;
    return (1 + Math.floor((own + 2 * others - 3) / others)) & 0xff;
  }

  /** False: there is no memory. */
  add(context: number, fresh: NewSymbol): boolean {
    const { bytes } = this.memory;
    const own = bytes[context]!;
    const symbols = own === 0 ? this.#makeList(context, fresh) : this.#extendList(context, own, fresh.last);
    if (symbols === 0) return false;
    const sum = this.sumOf(context);
    const frequency = frequencyOfNew(2 * fresh.frequency * (sum + 6), fresh.others + sum);
    this.setSum(context, sum + Math.max(4, frequency));
    const symbol = symbols + SYMBOL * (own + 1);
    bytes[symbol] = fresh.byte;
    bytes[symbol + 1] = frequency;
    this.lead(symbol, fresh.to);
    bytes[context + 1]! |= this.highOf(symbol);
    bytes[context] = own + 1;
    return true;
  }

  #makeList(context: number, { last, firstEscape }: NewSymbol): number {
    const { memory } = this;
    const { bytes } = memory;
    const symbols = memory.symbols(1);
    if (symbols === 0) return 0;
    bytes.copyWithin(symbols, context + 2, context + 2 + SYMBOL);
    memory.longs[(context >> 2) + 1] = symbols;
    const before = bytes[symbols + 1]!;
    bytes[symbols + 1] = before < MAX_FREQUENT / 4 - 1 ? 2 * before : MAX_FREQUENT - 4;
    this.setSum(context, bytes[symbols + 1]! + firstEscape + (last > 2 ? 1 : 0));
    return symbols;
  }

  #extendList(context: number, own: number, last: number): number {
    const { memory } = this;
    let symbols = this.symbolsOf(context);
    if ((own & 1) !== 0) {
      symbols = memory.grow(symbols, (own + 1) >> 1);
      if (symbols === 0) return 0;
      memory.longs[(context >> 2) + 1] = symbols;
    }
    this.setSum(context, this.sumOf(context) + (3 * own + 1 < last ? 1 : 0));
    return symbols;
  }
}

/** By what it has in the shorter context. */
function frequencyOfNew(weight: number, all: number): number {
  if (weight < 4 * all) return weight > all ? 2 : 1;
  if (weight < 6 * all) return 3;
  if (weight <= 9 * all) return 4;
  if (weight <= 12 * all) return 5;
  return weight <= 15 * all ? 6 : 7;
}
