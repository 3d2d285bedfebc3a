/**
 * How long each object takes, by arithmetic: a bounded Pareto distribution from 2 to 20 ms, and one in a thousand takes a hundred
 * times as long. A million costs are drawn; every further million of objects has the same ones, beginning elsewhere.
 */
import { draw } from '../../src/sources/sim/random.ts';

const PERIOD = 2 ** 20;
const ALPHA = 1.2;
const MIN = 0.002;
const MAX = 0.02;

export class Costs {
  readonly #seed: number;
  readonly #sums = new Float64Array(PERIOD + 1);

  constructor(seed: number) {
    this.#seed = seed;
    for (let i = 0; i < PERIOD; i++) this.#sums[i + 1] = this.#sums[i]! + costOf(seed, i);
  }

  get mean(): number {
    return this.#sums[PERIOD]! / PERIOD;
  }

  /** Seconds for the first `count` objects together. */
  upTo(count: number): number {
    const block = Math.floor(count / PERIOD);
    return block * this.#sums[PERIOD]! + this.#within(block, count - block * PERIOD);
  }

  /** How many objects are done after so many seconds of work on them, from the first one on. */
  countAt(seconds: number): number {
    const block = Math.floor(seconds / this.#sums[PERIOD]!);
    const rest = seconds - block * this.#sums[PERIOD]!;
    let low = 0;
    for (let high = PERIOD; low < high; ) {
      const middle = (low + high + 1) >> 1;
      if (this.#within(block, middle) <= rest) low = middle;
      else high = middle - 1;
    }
    return block * PERIOD + low;
  }

  #within(block: number, count: number): number {
    const start = draw(this.#seed, block, 3) % PERIOD;
    const end = start + count;
    const sums = this.#sums;
    return end <= PERIOD ? sums[end]! - sums[start]! : sums[PERIOD]! - sums[start]! + sums[end - PERIOD]!;
  }
}

function costOf(seed: number, index: number): number {
  const drawn = draw(seed, index, 1) / 2 ** 32;
  const cost = MIN / (1 - drawn * (1 - (MIN / MAX) ** ALPHA)) ** (1 / ALPHA);
  return draw(seed, index, 2) % 1000 === 0 ? cost * 100 : cost;
}
