/** Whom to ask about a place. Few different answers come up, so each has a number. */
export interface Outcome {
  /** Those who are asked in any case, and those who are asked if something names the value. */
  readonly free: readonly number[];
  readonly named: readonly number[];
}

/** The number of the answer that nobody is to be asked. */
export const NOBODY = 0;
/** Added to a detector's number where it wants a label. */
export const WITH_LABEL: number = 1 << 16;

export class Outcomes {
  readonly #all: Outcome[] = [];
  readonly #numbers = new Map<string, number>();

  readonly #learn: (outcome: Outcome, number: number) => void;

  /** `learn` is told of every new one. */
  constructor(learn: (outcome: Outcome, number: number) => void = () => {}) {
    this.#learn = learn;
    this.numberOf([]);
  }

  at(number: number): Outcome {
    return this.#all[number]!;
  }

  /** `who`: detectors, plus WITH_LABEL for those who want one. */
  numberOf(who: readonly number[]): number {
    const sorted = [...new Set(who)].sort((a, b) => a - b);
    const name = sorted.join();
    const known = this.#numbers.get(name);
    if (known !== undefined) return known;
    this.#numbers.set(name, this.#all.length);
    const free = sorted.filter((one) => one < WITH_LABEL);
    const named = sorted.filter((one) => one >= WITH_LABEL).map((one) => one - WITH_LABEL);
    const number = this.#all.push({ free, named }) - 1;
    this.#learn({ free, named }, number);
    return number;
  }
}
