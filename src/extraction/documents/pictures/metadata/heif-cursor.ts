import { CorruptInput } from '../../../extraction-error.ts';

const latin = new TextDecoder('latin1');

/** Numbers and names one after another, the highest byte first. */
export class HeifCursor {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  unsigned(size: number): number {
    let value = 0;
    for (const byte of this.#take(size)) value = 256 * value + byte;
    return value;
  }

  text(length: number): string {
    return latin.decode(this.#take(length));
  }

  skip(length: number): void {
    this.#take(length);
  }

  rest(): Uint8Array {
    return this.#bytes.subarray(this.#at);
  }

  restText(): string {
    return latin.decode(this.rest());
  }

  #take(length: number): Uint8Array {
    if (this.#at + length > this.#bytes.length) throw new CorruptInput('truncated HEIC image');
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }
}
