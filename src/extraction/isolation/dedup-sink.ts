import type { TextPart, TextSink } from '../extraction.ts';

/** Passes text on once. When the same document is read again, what has been told already is not told again. */
export class DedupSink implements TextSink {
  readonly #sink: TextSink;
  #told = 0; // texts that have ended
  #bytes = 0; // of the one that is open
  #open = false;
  #index = 0; // of the text that comes now
  #skip = 0; // bytes of it that are known

  constructor(sink: TextSink) {
    this.#sink = sink;
  }

  /** Something of the document has been read. */
  get hasOutput(): boolean {
    return this.#told > 0 || this.#bytes > 0;
  }

  /** The document will be read from its beginning. */
  restart(): void {
    this.#index = 0;
    this.#skip = 0;
  }

  begin(part: TextPart): void {
    if (this.#index < this.#told) return;
    this.#skip = this.#open ? this.#bytes : 0;
    if (!this.#open) this.#sink.begin(part);
    this.#open = true;
  }

  text(bytes: Uint8Array): void {
    if (this.#index < this.#told) return;
    const known = Math.min(this.#skip, bytes.length);
    this.#skip -= known;
    if (known === bytes.length) return;
    this.#bytes += bytes.length - known;
    this.#sink.text(known === 0 ? bytes : bytes.subarray(known));
  }

  end(): void {
    if (this.#index++ < this.#told) return;
    this.close();
  }

  /** Nothing more comes. */
  close(): void {
    if (!this.#open) return;
    this.#open = false;
    this.#bytes = 0;
    this.#told++;
    this.#sink.end();
  }
}
