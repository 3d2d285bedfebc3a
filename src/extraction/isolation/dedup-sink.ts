import type { TextPart, TextSink } from '../extraction.ts';

/** Suppresses repeated text: when a document is read again after a crash, what was already passed on is skipped. */
export class DedupSink implements TextSink {
  readonly #sink: TextSink;
  #finishedTexts = 0; // texts that have ended
  #bytes = 0; // of the one that is open
  #open = false;
  #index = 0; // of the current text
  #skip = 0; // bytes of it that are known

  constructor(sink: TextSink) {
    this.#sink = sink;
  }

  /** Something of the document has been read. */
  get hasOutput(): boolean {
    return this.#finishedTexts > 0 || this.#bytes > 0;
  }

  /** The document will be read from its beginning. */
  restart(): void {
    this.#index = 0;
    this.#skip = 0;
  }

  begin(part: TextPart): void {
    if (this.#index < this.#finishedTexts) return;
    this.#skip = this.#open ? this.#bytes : 0;
    if (!this.#open) this.#sink.begin(part);
    this.#open = true;
  }

  text(bytes: Uint8Array): void {
    if (this.#index < this.#finishedTexts) return;
    const known = Math.min(this.#skip, bytes.length);
    this.#skip -= known;
    if (known === bytes.length) return;
    this.#bytes += bytes.length - known;
    this.#sink.text(known === 0 ? bytes : bytes.subarray(known));
  }

  end(): void {
    if (this.#index++ < this.#finishedTexts) return;
    this.close();
  }

  /** Ignores all further calls. */
  close(): void {
    if (!this.#open) return;
    this.#open = false;
    this.#bytes = 0;
    this.#finishedTexts++;
    this.#sink.end();
  }
}
