/** A seeded source of chance: the same seed and name make the same choices, so that a case can be tried again. */
export class SeededRandom {
  #state: number;

  constructor(seed: number, name = '') {
    let state = Math.imul(seed + 1, 0x9e3779b1);
    for (let i = 0; i < name.length; i++) state = Math.imul(state ^ name.charCodeAt(i), 0x01000193);
    this.#state = state >>> 0;
  }

  /** From 0 up to, but without, `count`. */
  below(count: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let x = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    x ^= x + Math.imul(x ^ (x >>> 7), x | 61);
    return Math.floor((((x ^ (x >>> 14)) >>> 0) / 2 ** 32) * count);
  }

  of<T>(all: readonly T[]): T {
    return all[this.below(all.length)]!;
  }

  bytes(count: number): Uint8Array {
    return Uint8Array.from({ length: count }, () => this.below(256));
  }
}
