/**
 * The characters of a text as numbers: reading one out of an array costs a quarter of what `charCodeAt` does. One array
 * serves for text after text.
 */
export class XmlCodes {
  codes: Uint16Array = new Uint16Array(0);
  #bytes: Buffer = Buffer.alloc(0);

  /** The buffer contains stale data after the text. */
  fill(text: string): void {
    if (this.codes.length < text.length) {
      this.codes = new Uint16Array(text.length + (text.length >> 1));
      this.#bytes = Buffer.from(this.codes.buffer);
    }
    this.#bytes.write(text, 'utf16le');
  }
}
