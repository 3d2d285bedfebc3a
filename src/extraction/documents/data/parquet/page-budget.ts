import type { ExtractionBudget } from '../../../extraction-budget.ts';

/**
 * Pages are counted even where nothing is compressed: any number of chunks may claim to be the same bytes, and what they give
 * together is measured by the whole file.
 */
export class PageBudget {
  readonly budget: ExtractionBudget;
  readonly #size: number;
  #bytes = 0;

  constructor(budget: ExtractionBudget, size: number) {
    this.budget = budget;
    this.#size = size;
  }

  /** Before so many bytes are made. */
  countBytes(bytes: number): void {
    this.#bytes += bytes;
    this.budget.countDecompressed(bytes);
    this.budget.checkRatio(this.#bytes, this.#size);
  }

  /** No single page may take more memory than this. */
  get maxPage(): number {
    return this.budget.limits.documentMegabytes * 256 * 1024;
  }
}
