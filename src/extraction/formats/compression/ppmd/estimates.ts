const PERIOD = 7;
const BIN_SCALE = 1 << 14;
const FIRST_BINS = [0x3cdd, 0x1f3f, 0x59bf, 0x48f3, 0x64a1, 0x5abc, 0x6632, 0x6051];

/** What estimates begin with. */
export interface FirstEstimates {
  readonly bins: Uint16Array;
  readonly escapes: Uint16Array;
  /** How often an escape is estimated until it learns more slowly. */
  readonly count: number;
}

/** `divisors`: the rows of 64 estimates for a binary context; `sums`: the rows of estimates for an escape. */
export function firstEstimates(
  divisors: readonly number[],
  sums: readonly number[],
  columns: number,
  count: number,
): FirstEstimates {
  const bins = divisors.flatMap((divisor) =>
    Array.from({ length: 64 }, (_, i) => BIN_SCALE - Math.floor(FIRST_BINS[i & 7]! / divisor)),
  );
  const escapes = sums.flatMap((sum) => Array.from({ length: columns }, () => sum << (PERIOD - 4)));
  return { bins: Uint16Array.from(bins), escapes: Uint16Array.from(escapes), count };
}

/** SEE: adaptive estimates of the probability that a binary context's symbol repeats, and of an escape from a context. */
export class PpmdEstimates {
  /** Of 2^14. */
  readonly bins: Uint16Array;
  readonly escapes: Uint16Array;
  /** After the others: the estimate of a context with all symbols, which does not adapt. */
  readonly ofAll: number;
  readonly #first: FirstEstimates;
  readonly #shift: Uint8Array;
  readonly #count: Uint8Array;

  constructor(first: FirstEstimates) {
    this.#first = first;
    this.ofAll = first.escapes.length;
    this.bins = new Uint16Array(first.bins.length);
    this.escapes = new Uint16Array(this.ofAll + 1);
    this.#shift = new Uint8Array(this.ofAll + 1);
    this.#count = new Uint8Array(this.ofAll + 1);
  }

  reset(): void {
    this.bins.set(this.#first.bins);
    this.escapes.set(this.#first.escapes);
    this.#shift.fill(PERIOD - 4, 0, this.ofAll);
    this.#shift[this.ofAll] = PERIOD;
    this.#count.fill(this.#first.count);
  }

  /** A frequency for an escape, which is taken out of the estimate. */
  takeEscape(at: number): number {
    if (at === this.ofAll) return 1;
    const sum = this.escapes[at]!;
    const mean = sum >>> this.#shift[at]!;
    this.escapes[at] = sum - mean;
    return mean === 0 ? 1 : mean;
  }

  learnEscape(at: number): void {
    if (this.#shift[at]! >= PERIOD || --this.#count[at]! !== 0) return;
    this.escapes[at]! <<= 1;
    this.#count[at] = 3 << this.#shift[at]!++;
  }
}
