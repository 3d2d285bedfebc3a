import { MAX_FREQUENT } from './contexts-h.ts';
import { HAS_HIGH, PpmdContextsI, RESCALED } from './contexts-i.ts';
import { cutOff, takeBack, weaken } from './cut-off.ts';
import { PpmdEstimates } from './estimates.ts';
import { FIRST, ROW } from './estimates-i.ts';
import { SYMBOL } from './units.ts';

/** What PPMd, variant I, learns from each symbol. See model-h.ts for what its fields mean. */
export class PpmdModelI extends PpmdContextsI {
  readonly estimates = new PpmdEstimates(FIRST);
  min = 0;
  max = 0;
  found = 0;
  orderFall = 0;
  success = 0;
  run = 0;
  firstEscape = 0;
  readonly #order: number;
  readonly #cutsOff: boolean;

  /** `cutsOff`: when memory is full some of it is forgotten, not all. */
  constructor(order: number, size: number, cutsOff: boolean) {
    super(size);
    this.#order = order;
    this.#cutsOff = cutsOff;
    this.#restart();
  }

  #restart(): void {
    const { memory } = this;
    const { bytes, longs } = memory;
    memory.reset();
    this.orderFall = this.#order;
    this.run = this.#firstRun;
    this.success = 0;
    const context = memory.context();
    const symbols = memory.symbols(128);
    this.min = context;
    this.max = context;
    this.found = symbols;
    bytes[context] = 255;
    bytes[context + 1] = 0;
    this.setSum(context, 257);
    longs[(context >> 2) + 1] = symbols;
    longs[(context >> 2) + 2] = 0;
    this.writeAll(symbols);
    this.estimates.reset();
  }

  get #firstRun(): number {
    return -Math.min(this.#order, 12) - 1;
  }

  countOf(context: number): number {
    return this.memory.bytes[context]! + 1;
  }

  escape(): void {}

  binOf(symbol: number): number {
    const { bytes } = this.memory;
    const siblings = bytes[this.shorter(this.min)]!;
    const crowd = siblings < 2 ? 2 * siblings : siblings < 11 ? 4 : 6;
    const column = crowd + this.success + bytes[this.min + 1]! + ((this.run >> 26) & 0x20);
    return 64 * ROW[bytes[symbol + 1]! - 1]! + column;
  }

  escapeOf(masked: number): number {
    const { bytes } = this.memory;
    const last = bytes[this.min]!;
    if (last === 255) return this.estimates.ofAll;
    const isCrowded = 2 * last < bytes[this.shorter(this.min)]! + masked - 1;
    const column = (this.sumOf(this.min) > 11 * (last + 1) ? 1 : 0) + (isCrowded ? 2 : 0);
    return 32 * (ROW[last + 2]! - 3) + column + bytes[this.min + 1]!;
  }

  updateFirst(): void {
    this.success = 2 * this.memory.bytes[this.found + 1]! >= this.sumOf(this.min) ? 1 : 0;
    this.run += this.success;
    this.#raise();
    this.#next();
  }

  updateOther(): void {
    const { bytes } = this.memory;
    const { found } = this;
    this.setSum(this.min, this.sumOf(this.min) + 4);
    bytes[found + 1]! += 4;
    if (bytes[found + 1]! > bytes[found + 1 - SYMBOL]!) {
      this.swap(found);
      this.found = found - SYMBOL;
      if (bytes[this.found + 1]! > MAX_FREQUENT) this.#rescale();
    }
    this.#next();
  }

  updateSingle(): void {
    const { bytes } = this.memory;
    if (bytes[this.found + 1]! < 196) bytes[this.found + 1]!++;
    this.success = 1;
    this.run++;
    this.#next();
  }

  updateEscaped(): void {
    this.#raise();
    this.run = this.#firstRun;
    this.#update();
    this.min = this.max;
  }

  #raise(): void {
    const { bytes } = this.memory;
    this.setSum(this.min, this.sumOf(this.min) + 4);
    bytes[this.found + 1]! += 4;
    if (bytes[this.found + 1]! > MAX_FREQUENT) this.#rescale();
  }

  #next(): void {
    const context = this.leads(this.found);
    if (this.orderFall === 0 && context >= this.memory.unitsStart) this.max = context;
    else this.#update();
    this.min = this.max;
  }

  #update(): void {
    const { memory, found } = this;
    const { bytes } = memory;
    const [byte, frequency] = [bytes[found]!, bytes[found + 1]!];
    const isRaised = frequency < MAX_FREQUENT / 4 && this.shorter(this.min) !== 0;
    const known = isRaised ? this.#raiseInShorter(byte) : 0;
    let leads = this.leads(found);
    if (this.orderFall === 0 && leads !== 0) {
      const context = this.makeContexts(found, this.min, true, known);
      this.lead(found, context);
      if (context === 0) this.#restore(this.max);
      else this.max = context;
      return;
    }
    bytes[memory.text++] = byte;
    let to = memory.text;
    if (to >= memory.unitsStart) return this.#restore(this.max);
    if (leads === 0) leads = this.#reduceOrder(known);
    else if (leads < memory.unitsStart) leads = this.makeContexts(found, this.min, false, known);
    if (leads === 0) return this.#restore(this.max);
    if (--this.orderFall === 0) {
      to = leads;
      if (this.max !== this.min) memory.text--;
    }
    const last = bytes[this.min]!;
    const others = this.sumOf(this.min) - last - frequency;
    for (let context = this.max; context !== this.min; context = this.shorter(context))
      if (!this.add(context, { byte, frequency, others, last, to, firstEscape: this.firstEscape }))
        return this.#restore(context);
    this.max = leads;
    this.min = leads;
  }

  #raiseInShorter(byte: number): number {
    const { bytes } = this.memory;
    const context = this.shorter(this.min);
    let symbol = this.find(context, byte);
    if (bytes[context] === 0) {
      if (bytes[symbol + 1]! < 32) bytes[symbol + 1]!++;
      return symbol;
    }
    if (symbol !== this.symbolsOf(context) && bytes[symbol + 1]! >= bytes[symbol + 1 - SYMBOL]!) {
      this.swap(symbol);
      symbol -= SYMBOL;
    }
    if (bytes[symbol + 1]! < MAX_FREQUENT - 9) {
      bytes[symbol + 1]! += 2;
      this.setSum(context, this.sumOf(context) + 2);
    }
    return symbol;
  }

  /** The symbol that was found leads nowhere yet, nor does it in some shorter contexts: all will lead to the end of the text. 0: there is no memory. */
  #reduceOrder(known: number): number {
    const { memory, found } = this;
    const branch = memory.text;
    let context = this.min;
    let symbol = known;
    this.lead(found, branch);
    this.orderFall++;
    for (; ; symbol = 0) {
      if (symbol === 0 && this.shorter(context) === 0) return context;
      context = this.shorter(context);
      if (symbol === 0) symbol = this.#raiseReduced(context, memory.bytes[found]!);
      if (this.leads(symbol) !== 0) break;
      this.lead(symbol, branch);
      this.orderFall++;
    }
    if (this.leads(symbol) <= branch) this.lead(symbol, this.makeContexts(symbol, context, false, 0));
    if (this.orderFall === 1 && this.min === this.max) {
      this.lead(found, this.leads(symbol));
      memory.text--;
    }
    return this.leads(symbol);
  }

  #raiseReduced(context: number, byte: number): number {
    const { bytes } = this.memory;
    const symbol = this.find(context, byte);
    if (bytes[context] === 0) {
      if (bytes[symbol + 1]! < 32) bytes[symbol + 1]!++;
    } else if (bytes[symbol + 1]! < MAX_FREQUENT - 9) {
      bytes[symbol + 1]! += 2;
      this.setSum(context, this.sumOf(context) + 2);
    }
    return symbol;
  }

  /** There is no memory. Contexts before `changed` have the new symbol already, which is taken out of them again. */
  #restore(changed: number): void {
    const { memory } = this;
    memory.text = memory.start;
    let context = this.max;
    for (; context !== changed; context = this.shorter(context)) takeBack(this, context);
    for (; context !== this.min; context = this.shorter(context)) weaken(this, context);
    if (!this.#cutsOff || memory.used < memory.size >>> 1) return this.#restart();
    while (this.shorter(this.max) !== 0) this.max = this.shorter(this.max);
    let [used, before] = [memory.size, 0];
    do {
      before = used;
      cutOff(this, this.max, 0, this.#order);
      memory.expandText();
      used = memory.used;
      // Where nothing more can be forgotten it would never end.
    } while (used > 3 * (memory.size >>> 2) && used < before);
    memory.untilJoin = 0;
    this.orderFall = this.#order;
  }

  /** Frequencies are halved, and symbols that have none any more are dropped. */
  #rescale(): void {
    const { bytes } = this.memory;
    const context = this.min;
    const symbols = this.symbolsOf(context);
    const count = bytes[context]! + 1;
    this.moveUp(this.found, symbols);
    const { before, after, left } = this.halve(symbols, count, this.orderFall !== 0 ? 1 : 0);
    const escaped = this.sumOf(context) - before + count - left;
    if (left < count && left === 1) return this.#keepOne(context, symbols, count, escaped);
    if (left < count) this.#drop(context, symbols, count, left);
    this.setSum(context, after + escaped - (escaped >> 1));
    bytes[context + 1]! |= RESCALED;
    this.found = this.symbolsOf(context);
  }

  #keepOne(context: number, symbols: number, count: number, escaped: number): void {
    const { memory } = this;
    const { bytes } = memory;
    const frequency = Math.floor((2 * bytes[symbols + 1]! + escaped - 1) / escaped) & 0xff;
    this.makeSingle(context, symbols);
    bytes[context + 3] = Math.min(frequency, Math.floor(MAX_FREQUENT / 3));
    memory.release(symbols, (count + 1) >> 1);
    this.found = context + 2;
  }

  #drop(context: number, symbols: number, count: number, left: number): void {
    const { memory } = this;
    const { bytes } = memory;
    bytes[context] = left - 1;
    const [before, after] = [(count + 1) >> 1, (left + 1) >> 1];
    const kept = before === after ? symbols : memory.shrink(symbols, before, after);
    memory.longs[(context >> 2) + 1] = kept;
    let high = 0;
    for (let i = 0; i < left; i++) high |= this.highOf(kept + SYMBOL * i);
    bytes[context + 1] = (bytes[context + 1]! & ~HAS_HIGH) | high;
  }
}
