import type { Budget } from '../../../budget.ts';

/**
 * Pages are counted even where nothing is compressed: any number of chunks may claim to be the same bytes, and what they give
 * together is measured by the whole file.
 */
export class Spending {
  readonly budget: Budget;
  readonly #size: number;
  #bytes = 0;

  constructor(budget: Budget, size: number) {
    this.budget = budget;
    this.#size = size;
  }

  /** Before so many bytes are made. */
  read(bytes: number): void {
    this.#bytes += bytes;
    this.budget.unpacked(bytes);
    this.budget.ratio(this.#bytes, this.#size);
  }

  /** No single page may take more memory than this. */
  get mostPage(): number {
    return this.budget.limits.documentMegabytes * 256 * 1024;
  }
}
