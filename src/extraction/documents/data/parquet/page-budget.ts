import type { ExtractionBudget } from '../../../budget/extraction-budget.ts';

/**
 * Pages are counted even if uncompressed: any number of chunks may reference the same bytes, so their total output is compared with the
 * size of the whole file.
 */
export class PageBudget {
  readonly budget: ExtractionBudget;
  readonly #size: number;
  #bytes = 0;

  constructor(budget: ExtractionBudget, size: number) {
    this.budget = budget;
    this.#size = size;
  }

  /** Must be called before the bytes are produced. */
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
