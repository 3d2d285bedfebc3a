/**
 * Random access to sorted random numbers: computes the i-th smallest of `count` numbers below 2^48 without the others. The space is
 * halved recursively; how many numbers fall into the left half is drawn from a binomial distribution, down to a few that are drawn and
 * sorted.
 */
import { draw } from './random.ts';

const BITS = 48;
const HANDFUL = 16;

interface Cell {
  /** How many numbers lie before it. */
  readonly before: number;
  readonly values: readonly number[];
}

export class Scatter {
  readonly #seed: number;
  readonly #count: number;
  #last: Cell = { before: -1, values: [] };

  constructor(seed: number, count: number) {
    this.#seed = seed;
    this.#count = count;
  }

  /** The i-th smallest; strictly increasing. */
  at(index: number): number {
    const inLast = index - this.#last.before;
    if (inLast < 0 || inLast >= this.#last.values.length || this.#last.before < 0)
      this.#last = this.#find(index);
    return this.#last.values[index - this.#last.before]!;
  }

  #find(index: number): Cell {
    let before = 0;
    let count = this.#count;
    let cell = 0;
    let level = 0;
    while (count > HANDFUL && level < BITS - 8) {
      const left = binomialHalf(count, this.#seed, cell + 2 ** level, level);
      level++;
      if (index - before < left) {
        count = left;
        cell *= 2;
      } else {
        before += left;
        count -= left;
        cell = cell * 2 + 1;
      }
    }
    return { before, values: this.#drawCell(level, cell, count) };
  }

  #drawCell(level: number, cell: number, count: number): number[] {
    const width = 2 ** (BITS - level);
    const values = Array.from({ length: count }, (_, k) => {
      const fraction = (draw(this.#seed, cell * 64 + k, 41 + level) + 0.5) / 2 ** 32;
      return cell * width + Math.floor(fraction * (width - count));
    }).sort((a, b) => a - b);
    // Equal ones are incremented; the space for that was reserved above.
    for (let k = 1; k < count; k++) values[k] = Math.max(values[k]!, values[k - 1]! + 1);
    return values;
  }
}

/** A binomial with p = 1/2, by the normal approximation, which is accurate enough except for very small counts. */
function binomialHalf(count: number, seed: number, cell: number, level: number): number {
  const heads = Math.round(count / 2 + (gauss(seed, cell, level) * Math.sqrt(count)) / 2);
  return Math.min(count, Math.max(0, heads));
}

/** Normally distributed, mean 0, deviation 1. */
export function gauss(seed: number, index: number, what: number): number {
  const radius = Math.sqrt(-2 * Math.log((draw(seed, index, what * 2 + 1001) + 0.5) / 2 ** 32));
  return radius * Math.cos((2 * Math.PI * draw(seed, index, what * 2 + 1002)) / 2 ** 32);
}
