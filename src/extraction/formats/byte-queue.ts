/**
 * Bytes on their way into a decoder, which asks for as many as it needs. What it gets depends on what it asked for
 * and never on how the bytes arrived, so that a corrupt object fails at the same place every time.
 */
export class ByteQueue {
  readonly #input: AsyncIterator<Uint8Array>;
  #buffer = new Uint8Array(64 * 1024);
  #start = 0;
  #end = 0;
  #ended = false;
  /** How many have been taken in all: what a decompression's ratio is measured by. */
  taken = 0;

  constructor(input: AsyncIterator<Uint8Array>) {
    this.#input = input;
  }

  /** `count` bytes, fewer only at the end of the input; valid until the next `take`. */
  async take(count: number): Promise<Uint8Array> {
    while (this.#end - this.#start < count && !this.#ended) {
      const next = await this.#input.next();
      if (next.done === true) this.#ended = true;
      else this.#append(next.value);
    }
    const from = this.#start;
    this.#start = Math.min(this.#end, from + count);
    this.taken += this.#start - from;
    return this.#buffer.subarray(from, this.#start);
  }

  /** The last `count` bytes taken were not needed; they come again. */
  giveBack(count: number): void {
    this.#start -= count;
    this.taken -= count;
  }

  #append(bytes: Uint8Array): void {
    const held = this.#end - this.#start;
    if (this.#end + bytes.length > this.#buffer.length) {
      const old = this.#buffer;
      if (held + bytes.length > old.length) this.#buffer = new Uint8Array(2 * (held + bytes.length));
      this.#buffer.set(old.subarray(this.#start, this.#end));
      this.#start = 0;
      this.#end = held;
    }
    this.#buffer.set(bytes, this.#end);
    this.#end += bytes.length;
  }
}
