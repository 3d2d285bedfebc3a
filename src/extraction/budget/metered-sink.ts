import type { TextPart, TextSink } from '../extraction.ts';
import type { ExtractionBudget } from './extraction-budget.ts';

/** Counts the text against the budget. */
export class MeteredSink implements TextSink {
  readonly #sink: TextSink;
  readonly #budget: ExtractionBudget;
  /** Whether a part has begun and not ended. */
  #open = false;

  constructor(sink: TextSink, budget: ExtractionBudget) {
    this.#sink = sink;
    this.#budget = budget;
  }

  begin(part: TextPart): void {
    this.#open = true;
    this.#sink.begin(part);
  }

  text(bytes: Uint8Array): void {
    this.#budget.usage.text += bytes.length;
    this.#sink.text(bytes);
  }

  end(): void {
    this.#open = false;
    this.#sink.end();
  }

  /** The writer was ended in the middle of a part. */
  close(): void {
    if (this.#open) this.end();
  }

  /** The same for text that another process writes: only its receiver can check the budget. */
  budgetChecked(): TextSink {
    return {
      begin: (part) => this.begin(part),
      text: (bytes) => {
        this.text(bytes);
        this.#budget.check();
      },
      end: () => this.end(),
    };
  }
}
