/**
 * Where the last attempt of a matcher stood at each byte, and what came of it. The bytes are kept too: only the same bytes at the
 * same places make the same way, whatever became of the buffer meanwhile.
 */
const SIZE = 8192; // more than an attempt may look at
const MASK = SIZE - 1;
/** Fewer bytes are sooner looked at again than compared. */
const MIN_REUSE_BYTES = 32;

export class MatchMemo {
  readonly #places = new Int32Array(SIZE);
  readonly #bytes = Buffer.alloc(SIZE);
  #from = 0;
  #usable = false; // by the attempt that is under way
  #whole = false; // what has been noted since `begin` can be used by the next one
  /** The first byte that was not looked at, and how the attempt stood there. */
  to = 0;
  place = 0;
  /** Of the longest match, or -1. */
  end = -1;

  begin(bytes: Uint8Array, at: number): void {
    this.#usable =
      this.#whole && at > this.#from && this.to - at >= MIN_REUSE_BYTES && this.#isSame(bytes, at);
    this.#from = at;
    this.#whole = true;
  }

  /** From here on the attempt would go the way of the last one. */
  stoodAt(at: number, place: number): boolean {
    if (!this.#usable) return false;
    if (at < this.to && this.#places[at & MASK] !== place) return false;
    this.#usable = false;
    return at < this.to;
  }

  note(at: number, place: number, byte: number): void {
    this.#places[at & MASK] = place;
    this.#bytes[at & MASK] = byte;
  }

  finish(to: number, place: number, end: number): void {
    this.to = to;
    this.place = place;
    this.end = end;
  }

  /** The places have other names from now on. */
  forget(): void {
    this.#usable = false;
    this.#whole = false;
  }

  #isSame(bytes: Uint8Array, at: number): boolean {
    const start = at & MASK;
    const first = Math.min(this.to - at, SIZE - start);
    const rest = this.to - at - first;
    if (this.to > bytes.length) return false;
    return (
      this.#bytes.compare(bytes, at, at + first, start, start + first) === 0 &&
      (rest === 0 || this.#bytes.compare(bytes, at + first, this.to, 0, rest) === 0)
    );
  }
}
