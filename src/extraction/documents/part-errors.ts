import type { DocumentItem } from '../document-item.ts';
import { ExtractionError, LimitExceeded } from '../extraction-error.ts';

/** One part of a document would cost too much; the others need not. */
export class PartLimitExceeded extends LimitExceeded {}

/** Damage to one part of a document must not prevent reading the others: the first error is recorded, and thrown at the end. */
export class PartErrors {
  #first: ExtractionError | null = null;

  async *attempt(items: AsyncIterable<DocumentItem>): AsyncGenerator<DocumentItem> {
    try {
      yield* items;
    } catch (error) {
      this.record(error);
    }
  }

  /** Throws on what no other part could do about: limits, and failures of the source. */
  record(error: unknown): void {
    if (!(error instanceof ExtractionError)) throw error;
    if (error instanceof LimitExceeded && !(error instanceof PartLimitExceeded)) throw error;
    this.#first ??= error;
  }

  throwFirst(): void {
    if (this.#first !== null) throw this.#first;
  }
}
