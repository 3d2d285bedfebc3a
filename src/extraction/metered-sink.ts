import type { Budget } from './budget.ts';
import type { Part, TextSink } from './extraction.ts';

/** Counts the text that passes. */
export class MeteredSink implements TextSink {
  readonly #sink: TextSink;
  readonly #budget: Budget;
  /** A part has begun and not ended. */
  #open = false;

  constructor(sink: TextSink, budget: Budget) {
    this.#sink = sink;
    this.#budget = budget;
  }

  begin(part: Part): void {
    this.#open = true;
    this.#sink.begin(part);
  }

  text(bytes: Uint8Array): void {
    this.#budget.spent.text += bytes.length;
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
  checked(): TextSink {
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
