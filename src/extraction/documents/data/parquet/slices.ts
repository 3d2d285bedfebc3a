import { endOfPage, PageBytes } from './bits.ts';
import { Deltas, passDeltas } from './delta.ts';

/** Values that are byte ranges. */
export interface Slices {
  /** Of the value that `next` went to. */
  readonly bytes: Uint8Array;
  readonly from: number;
  readonly to: number;
  next(): void;
}

export class LengthPrefixed implements Slices {
  readonly bytes: Uint8Array;
  readonly #page: PageBytes;
  from = 0;
  to = 0;

  constructor(page: PageBytes) {
    this.bytes = page.bytes;
    this.#page = page;
  }

  next(): void {
    this.from = this.#page.pass(this.#page.uint32());
    this.to = this.#page.at;
  }
}

/** All lengths precede all values. */
export class WithLengths implements Slices {
  readonly bytes: Uint8Array;
  readonly #page: PageBytes;
  readonly #lengths: Deltas;
  from = 0;
  to = 0;

  constructor(page: PageBytes) {
    this.bytes = page.bytes;
    this.#lengths = lengthsIn(page);
    this.#page = page;
  }

  next(): void {
    this.from = this.#page.pass(Number(this.#lengths.next()));
    this.to = this.#page.at;
  }
}

/** A value shares a prefix of given length with the previous one, followed by its own suffix. */
export class WithPrefixes implements Slices {
  readonly #prefixes: Deltas;
  readonly #rests: WithLengths;
  bytes: Uint8Array = new Uint8Array(256);
  readonly from = 0;
  to = 0;

  constructor(page: PageBytes) {
    this.#prefixes = lengthsIn(page);
    this.#rests = new WithLengths(page);
  }

  next(): void {
    const prefix = Number(this.#prefixes.next());
    if (!(prefix >= 0 && prefix <= this.to)) throw endOfPage();
    this.#rests.next();
    const { bytes, from, to } = this.#rests;
    this.to = prefix + to - from;
    if (this.to > this.bytes.length) {
      const larger = new Uint8Array(2 * this.to);
      larger.set(this.bytes.subarray(0, prefix));
      this.bytes = larger;
    }
    this.bytes.set(bytes.subarray(from, to), prefix);
  }
}

/** Reads the lengths through a copy of the page's cursor, and moves the page past them. */
function lengthsIn(page: PageBytes): Deltas {
  const start = page.at;
  passDeltas(page);
  return new Deltas(new PageBytes(page.bytes, start, page.at), true);
}
