/** A seeded stream of choices: the same seed and name make the same choices, so that a run can be repeated. */
export class Choices {
  #state: number;

  constructor(seed: number, name = '') {
    let state = Math.imul(seed, 0x9e3779b1);
    for (let i = 0; i < name.length; i++) state = Math.imul(state ^ name.charCodeAt(i), 0x01000193);
    this.#state = state >>> 0;
  }

  /** From 0 up to, but without, 1. */
  fraction(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let x = this.#state;
    x = Math.imul(x ^ (x >>> 15), x | 1);
    x ^= x + Math.imul(x ^ (x >>> 7), x | 61);
    return ((x ^ (x >>> 14)) >>> 0) / 2 ** 32;
  }

  below(n: number): number {
    return Math.floor(this.fraction() * n);
  }

  between(min: number, max: number): number {
    return min + this.below(max - min + 1);
  }

  chance(probability: number): boolean {
    return this.fraction() < probability;
  }

  of<T>(all: readonly T[]): T {
    return all[this.below(all.length)]!;
  }

  /** Each of them with this chance. */
  some<T>(all: readonly T[], probability: number): T[] {
    return all.filter(() => this.chance(probability));
  }
}
