import type { PpmdContextsI } from './contexts-i.ts';
import { SYMBOL } from './units.ts';

/** Contexts of a lower order are kept even without successors. */
const LOW_ORDER = 9;

/** Forgets what leads into the text, which is forgotten too. What is left of the context; 0: nothing. As deep as the model's order at most. */
export function cutOff(contexts: PpmdContextsI, context: number, order: number, max: number): number {
  const { memory } = contexts;
  if (memory.bytes[context] === 0) return cutOffSingle(contexts, context, order, max);
  const last = memory.bytes[context]!;
  const units = (last + 2) >> 1;
  const symbols = memory.moveUp(contexts.symbolsOf(context), units);
  memory.longs[(context >> 2) + 1] = symbols;
  let left = last;
  for (let symbol = symbols + SYMBOL * last; symbol >= symbols; symbol -= SYMBOL) {
    const to = contexts.leads(symbol);
    if (to < memory.unitsStart) {
      contexts.lead(symbol, 0);
      exchange(contexts, symbol, symbols + SYMBOL * left--);
    } else contexts.lead(symbol, order < max ? cutOff(contexts, to, order + 1, max) : 0);
  }
  return left === last || order === 0 ? context : shorten(contexts, context, left, units);
}

function cutOffSingle(contexts: PpmdContextsI, context: number, order: number, max: number): number {
  const { memory } = contexts;
  const symbol = context + 2;
  const to = contexts.leads(symbol);
  if (to >= memory.unitsStart) {
    contexts.lead(symbol, order < max ? cutOff(contexts, to, order + 1, max) : 0);
    if (contexts.leads(symbol) !== 0 || order <= LOW_ORDER) return context;
  }
  memory.releaseUnit(context);
  return 0;
}

function exchange(contexts: PpmdContextsI, one: number, other: number): void {
  const { bytes } = contexts.memory;
  const kept = bytes.slice(one, one + SYMBOL);
  bytes.copyWithin(one, other, other + SYMBOL);
  bytes.set(kept, other);
}

/** `last`: the last symbol that is kept; -1: none is. */
function shorten(contexts: PpmdContextsI, context: number, last: number, units: number): number {
  const { memory } = contexts;
  const symbols = contexts.symbolsOf(context);
  memory.bytes[context] = last;
  if (last > 0) {
    contexts.refresh(context, units, contexts.sumOf(context) > 16 * last ? 1 : 0);
    return context;
  }
  if (last === 0) {
    contexts.makeSingle(context, symbols);
    memory.bytes[context + 3] = (memory.bytes[context + 3]! + 11) >> 3;
  }
  memory.release(symbols, units);
  if (last === 0) return context;
  memory.releaseUnit(context);
  return 0;
}

/** The last symbol, which was added in vain. */
export function takeBack(contexts: PpmdContextsI, context: number): void {
  const { memory } = contexts;
  const { bytes } = memory;
  const last = bytes[context]! - 1;
  bytes[context] = last;
  if (last > 0) return contexts.refresh(context, (last + 3) >> 1, 0);
  const symbols = contexts.symbolsOf(context);
  contexts.makeSingle(context, symbols);
  memory.releaseUnit(symbols);
  bytes[context + 3] = (bytes[context + 3]! + 11) >> 3;
}

/** What it foresees counts for less. */
export function weaken(contexts: PpmdContextsI, context: number): void {
  const { bytes } = contexts.memory;
  const last = bytes[context]!;
  if (last === 0) {
    bytes[context + 3]! -= bytes[context + 3]! >> 1;
    return;
  }
  contexts.setSum(context, contexts.sumOf(context) + 4);
  if (contexts.sumOf(context) > 128 + 4 * last) contexts.refresh(context, (last + 2) >> 1, 1);
}
