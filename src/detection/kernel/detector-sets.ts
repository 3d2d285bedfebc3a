/** The detectors to run at a candidate. Few distinct sets occur, so they are interned by number. */
export interface DetectorSet {
  /** Detectors that always run, and detectors that run only near a label. */
  readonly unconditional: readonly number[];
  readonly ifLabelled: readonly number[];
}

/** The number of the empty set. */
export const EMPTY_SET = 0;
/** Added to a detector's number if it requires a label. */
export const WITH_LABEL: number = 1 << 16;

export class DetectorSets {
  readonly #all: DetectorSet[] = [];
  readonly #numbers = new Map<string, number>();

  readonly #onNew: (detectorSet: DetectorSet, number: number) => void;

  /** `onNew` is called for every new set. */
  constructor(onNew: (detectorSet: DetectorSet, number: number) => void = () => {}) {
    this.#onNew = onNew;
    this.numberOf([]);
  }

  at(number: number): DetectorSet {
    return this.#all[number]!;
  }

  /** `detectors`: their numbers, plus WITH_LABEL for those that require a label. */
  numberOf(detectors: readonly number[]): number {
    const sorted = [...new Set(detectors)].sort((a, b) => a - b);
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
