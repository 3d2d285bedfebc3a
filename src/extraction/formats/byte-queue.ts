/**
 * Input buffer of a decoder, which requests as many bytes as it needs. What it gets depends only on the requests and never on how the
 * bytes arrived, so that a corrupt object fails at the same position every time.
 */
export class ByteQueue {
  readonly #input: AsyncIterator<Uint8Array>;
  #buffer = NONE;
  #start = 0;
  #end = 0;
  #last = 0; // bytes of the last `take` that were kept
  #ended = false;
  #fence = Number.POSITIVE_INFINITY; // in terms of `taken`
  /** How many have been taken in all: what a decompression's ratio is measured by. */
  taken = 0;

  constructor(input: AsyncIterator<Uint8Array>) {
    this.#input = input;
  }

  /** `count` bytes, fewer only at the end of the input; valid until the next `take`. */
  async take(count: number): Promise<Uint8Array> {
    const needed = Math.min(count, this.#fence - this.taken);
    while (this.#end - this.#start < needed && !this.#ended) {
      const next = await this.#input.next();
      if (next.done === true) this.#ended = true;
      else this.#append(next.value);
    }
    const from = this.#start;
    this.#start = Math.min(this.#end, from + needed);
    this.#last = this.#start - from;
    this.taken += this.#last;
    return this.#buffer.subarray(from, this.#start);
  }

  /** Puts back the last `count` bytes taken. */
  unread(count: number): void {
    this.#start -= count;
    this.#last -= count;
    this.taken -= count;
  }

  /** Puts back everything taken last, for searching in data that a decoder rejected. */
  unreadLast(): void {
    this.unread(this.#last);
  }

  /** Simulates the end of input after the next `count` bytes until the fence is removed, for a decoder that reads to the end. */
  fence(count: number): void {
    this.#fence = this.taken + count;
  }

  unfence(): void {
    this.#fence = Number.POSITIVE_INFINITY;
  }

  #append(bytes: Uint8Array): void {
    const buffered = this.#end - this.#start;
    if (this.#end + bytes.length > this.#buffer.length) {
      const old = this.#buffer;
      if (buffered + bytes.length > old.length) this.#buffer = new Uint8Array(2 * (buffered + bytes.length)); // by what arrives: most members of an archive are small
      this.#buffer.set(old.subarray(this.#start, this.#end));
      this.#start = 0;
      this.#end = buffered;
    }
    this.#buffer.set(bytes, this.#end);
    this.#end += bytes.length;
  }
}

const NONE = new Uint8Array(0);
