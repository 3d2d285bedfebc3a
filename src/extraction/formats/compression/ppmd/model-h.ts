import { MAX_FREQUENT, PpmdContexts } from './contexts-h.ts';
import { firstEstimates, PpmdEstimates } from './estimates.ts';
import { SYMBOL } from './units.ts';

/** How many symbols a context has decides which estimate is used. */
const ESCAPE_ROW = new Uint8Array(256);
for (let symbols = 0, row = 0, left = 1; symbols < 256; symbols++) {
  ESCAPE_ROW[symbols] = row;
  if (symbols < 2) row++;
  else if (--left === 0) left = ++row - 2;
}

const FIRST = firstEstimates(
  Array.from({ length: 128 }, (_, row) => row + 2),
  Array.from({ length: 25 }, (_, row) => 5 * row + 10),
  16,
  4,
);

/** What PPMd, variant H, learns from each symbol. */
export class PpmdModel extends PpmdContexts {
  readonly estimates = new PpmdEstimates(FIRST);
  /** The current context, and the longest one. */
  min = 0;
  max = 0;
  /** The symbol that was found last. */
  found = 0;
  /** The maximum order minus that of the longest context. */
  orderFall = 0;
  /** The last symbol was the likely one. */
  success = 0;
  run = 0;
  /** The initial escape frequency of a former single-symbol context. */
  firstEscape = 0;
  #isHigh = 0; // 8: the last symbol is above the first quarter of all
  readonly #order: number;

  constructor(order: number, size: number) {
    super(size);
    this.#order = order;
    this.restart();
  }

  /** The order that all symbols follow with the same frequency. */
  restart(): void {
    const { memory } = this;
    const { words, longs } = memory;
    memory.reset();
    this.orderFall = this.#order;
    this.run = this.#firstRun;
    this.success = 0;
    const context = memory.context();
    const symbols = memory.symbols(128);
    this.min = context;
    this.max = context;
    this.found = symbols;
    words[context >> 1] = 256;
    words[(context >> 1) + 1] = 257;
    longs[(context >> 2) + 1] = symbols;
    longs[(context >> 2) + 2] = 0;
    this.writeAll(symbols);
    this.estimates.reset();
  }

  get #firstRun(): number {
    return -Math.min(this.#order, 12) - 1;
  }

  /** The index of the estimate for the single symbol of the current context. */
  binOf(symbol: number): number {
    const { bytes, words } = this.memory;
    const siblings = words[this.shorter(this.min) >> 1]!;
    this.#isHigh = bytes[this.found]! >= 0x40 ? 8 : 0;
    const crowd = siblings < 3 ? 2 * (siblings - 1) : siblings < 12 ? 4 : 6;
    const high = bytes[symbol]! >= 0x40 ? 16 : 0;
    return (
      64 * (bytes[symbol + 1]! - 1) + this.success + crowd + this.#isHigh + high + ((this.run >> 26) & 0x20)
    );
  }

  /** The estimate for an escape from the current context, with this many of its symbols masked. */
  escapeOf(masked: number): number {
    const { words } = this.memory;
    const symbols = words[this.min >> 1]!;
    if (symbols === 256) return this.estimates.ofAll;
    const left = symbols - masked;
    const siblings = words[this.shorter(this.min) >> 1]!;
    const sum = words[(this.min >> 1) + 1]!;
    return (
      16 * ESCAPE_ROW[left - 1]! +
      (left < siblings - symbols ? 1 : 0) +
      (sum < 11 * symbols ? 2 : 0) +
      (masked > left ? 4 : 0) +
      this.#isHigh
    );
  }

  countOf(context: number): number {
    return this.memory.words[context >> 1]!;
  }

  /** An escape: it is none of the symbols of the current context. */
  escape(): void {
    this.#isHigh = this.memory.bytes[this.found]! >= 0x40 ? 8 : 0;
  }

  /** The first symbol of the context was it. */
  updateFirst(): void {
    const { bytes, words } = this.memory;
    const sum = words[(this.min >> 1) + 1]!;
    this.success = 2 * bytes[this.found + 1]! > sum ? 1 : 0;
    this.run += this.success;
    this.#raise();
    this.#next();
  }

  /** Another one of them was it. */
  updateOther(): void {
    const { bytes, words } = this.memory;
    const { found } = this;
    words[(this.min >> 1) + 1]! += 4;
    bytes[found + 1]! += 4;
    if (bytes[found + 1]! > bytes[found + 1 - SYMBOL]!) {
      this.swap(found);
      this.found = found - SYMBOL;
      if (bytes[this.found + 1]! > MAX_FREQUENT) this.#rescale();
    }
    this.#next();
  }

  /** The single symbol was it. */
  updateSingle(): void {
    const { bytes } = this.memory;
    if (bytes[this.found + 1]! < 128) bytes[this.found + 1]!++;
    this.success = 1;
    this.run++;
    this.#next();
  }

  /** It was found after an escape. */
  updateEscaped(): void {
    this.#raise();
    this.run = this.#firstRun;
    this.#update();
  }

  #raise(): void {
    const { bytes, words } = this.memory;
    words[(this.min >> 1) + 1]! += 4;
    bytes[this.found + 1]! += 4;
    if (bytes[this.found + 1]! > MAX_FREQUENT) this.#rescale();
  }

  #next(): void {
    const context = this.leads(this.found);
    if (this.orderFall !== 0 || context <= this.memory.text) return this.#update();
    this.min = context;
    this.max = context;
  }

  /** Adds the symbol that was found to all longer contexts that lack it. */
  #update(): void {
    const { memory, found } = this;
    const { bytes, words } = memory;
    const symbol = bytes[found]!;
    let leads = this.leads(found);
    if (bytes[found + 1]! < MAX_FREQUENT / 4 && this.shorter(this.min) !== 0) this.#raiseInShorter(symbol);
    if (this.orderFall === 0) {
      const context = this.makeContexts(found, this.min, true);
      if (context === 0) return this.restart();
      this.min = context;
      this.max = context;
      return this.lead(found, context);
    }
    bytes[memory.text++] = symbol;
    let to = memory.text;
    if (to >= memory.unitsStart) return this.restart();
    if (leads === 0) {
      this.lead(found, to);
      leads = this.min;
    } else {
      if (leads <= to) leads = this.makeContexts(found, this.min, false);
      if (leads === 0) return this.restart();
      if (--this.orderFall === 0) {
        to = leads;
        if (this.max !== this.min) memory.text--;
      }
    }
    const count = words[this.min >> 1]!;
    const others = words[(this.min >> 1) + 1]! - count - (bytes[found + 1]! - 1);
    for (let context = this.max; context !== this.min; context = this.shorter(context))
      if (!this.#add(context, count, others, to)) return this.restart();
    this.min = leads;
    this.max = leads;
  }

  #raiseInShorter(byte: number): void {
    const { bytes, words } = this.memory;
    const context = this.shorter(this.min);
    if (words[context >> 1] === 1) {
      if (bytes[context + 3]! < 32) bytes[context + 3]!++;
      return;
    }
    let symbol = this.find(context, byte);
    if (symbol !== this.symbolsOf(context) && bytes[symbol + 1]! >= bytes[symbol + 1 - SYMBOL]!) {
      this.swap(symbol);
      symbol -= SYMBOL;
    }
    if (bytes[symbol + 1]! >= MAX_FREQUENT - 9) return;
    bytes[symbol + 1]! += 2;
    words[(context >> 1) + 1]! += 2;
  }

  /** False: there is no memory. */
  #add(context: number, count: number, others: number, to: number): boolean {
    const { bytes, words } = this.memory;
    const own = words[context >> 1]!;
    const symbols =
      own === 1 ? this.makeList(context, count, this.firstEscape) : this.extendList(context, own, count);
    if (symbols === 0) return false;
    const sum = words[(context >> 1) + 1]!;
    const frequency = frequencyOfNew(2 * bytes[this.found + 1]! * (sum + 6), others + sum);
    words[(context >> 1) + 1] = sum + Math.max(3, frequency);
    const symbol = symbols + SYMBOL * own;
    bytes[symbol] = bytes[this.found]!;
    bytes[symbol + 1] = frequency;
    this.lead(symbol, to);
    words[context >> 1] = own + 1;
    return true;
  }

  /** Frequencies are halved, and symbols that have none any more are dropped. */
  #rescale(): void {
    const { words } = this.memory;
    const context = this.min;
    const symbols = this.symbolsOf(context);
    const count = words[context >> 1]!;
    this.moveUp(this.found, symbols);
    const { before, after, left } = this.halve(symbols, count, this.orderFall !== 0 ? 1 : 0);
    const escaped = words[(context >> 1) + 1]! - before + count - left;
    if (left < count && left === 1) {
      this.found = this.makeSingle(context, symbols, count, escaped);
      return;
    }
    if (left < count) this.drop(context, symbols, count, left);
    words[(context >> 1) + 1] = after + escaped - (escaped >> 1);
    this.found = this.symbolsOf(context);
  }
}

/** By what it has in the shorter context. */
function frequencyOfNew(weight: number, all: number): number {
  if (weight < 4 * all) return weight > all ? 2 : 1;
  if (weight < 9 * all) return weight < 6 * all ? 3 : 4;
  if (weight < 12 * all) return 5;
  return weight < 15 * all ? 6 : 7;
}
