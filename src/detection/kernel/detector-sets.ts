/** Whom to ask about a place. Few different answers come up, so each has a number. */
export interface DetectorSet {
  /** Those who are asked in any case, and those who are asked if something names the value. */
  readonly unconditional: readonly number[];
  readonly ifLabelled: readonly number[];
}

/** The number of the answer that nobody is to be asked. */
export const EMPTY_SET = 0;
/** Added to a detector's number where it wants a label. */
export const WITH_LABEL: number = 1 << 16;

export class DetectorSets {
  readonly #all: DetectorSet[] = [];
  readonly #numbers = new Map<string, number>();

  readonly #onNew: (detectorSet: DetectorSet, number: number) => void;

  /** `learn` is told of every new one. */
  constructor(onNew: (detectorSet: DetectorSet, number: number) => void = () => {}) {
    this.#onNew = onNew;
    this.numberOf([]);
  }

  at(number: number): DetectorSet {
    return this.#all[number]!;
  }

  /** `who`: detectors, plus WITH_LABEL for those who want one. */
  numberOf(who: readonly number[]): number {
    const sorted = [...new Set(who)].sort((a, b) => a - b);
    const name = sorted.join();
    const known = this.#numbers.get(name);
    if (known !== undefined) return known;
    this.#numbers.set(name, this.#all.length);
    const unconditional = sorted.filter((one) => one < WITH_LABEL);
    const ifLabelled = sorted.filter((one) => one >= WITH_LABEL).map((one) => one - WITH_LABEL);
    const number = this.#all.push({ unconditional, ifLabelled }) - 1;
    this.#onNew({ unconditional, ifLabelled }, number);
    return number;
  }
}
