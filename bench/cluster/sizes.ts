/** The size of each object, computed. Neighbours are alike, as in real buckets: each range of keys has its own typical size. */
import { uneven } from '../../src/sources/sim/shapes/weighted.ts';

const RANGE_KEYS = 20_000;
const USUAL = 2000;

export class Sizes {
  readonly #seed: number;

  constructor(seed: number) {
    this.#seed = seed;
  }

  /** Bytes of the objects from the one number to the other, which is not among them. */
  between(from: number, to: number): number {
    let bytes = 0;
    for (let at = from; at < to; at++) bytes += Math.round(this.#usual(at) * uneven(this.#seed, at, 1));
    return bytes;
  }

  #usual(index: number): number {
    return USUAL * uneven(this.#seed + 1, Math.floor(index / RANGE_KEYS), 1);
  }
}
