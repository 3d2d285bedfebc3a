/**
 * The DFA states of the last attempt at each position, and its result. The bytes are stored too and compared: the buffer may have been
 * reused, and only equal bytes at equal positions lead to the same states.
 */
const SIZE = 8192; // more than an attempt may read
const MASK = SIZE - 1;
/** For fewer bytes, matching again is cheaper than comparing. */
const MIN_REUSE_BYTES = 32;

export class MatchMemo {
  readonly #states = new Int32Array(SIZE);
  readonly #bytes = Buffer.alloc(SIZE);
  #from = 0;
  #usable = false; // for the current attempt
  #whole = false; // everything recorded since `begin` is usable for the next attempt
  /** The first byte that was not read, and the state there. */
  to = 0;
  state = 0;
  /** Of the longest match, or -1. */
  end = -1;

  begin(bytes: Uint8Array, at: number): void {
    this.#usable =
      this.#whole && at > this.#from && this.to - at >= MIN_REUSE_BYTES && this.#isSame(bytes, at);
    this.#from = at;
    this.#whole = true;
  }

  /** Whether the attempt is in the same state as the last one was here, so that its result can be reused. */
  hadState(at: number, state: number): boolean {
    if (!this.#usable) return false;
    if (at < this.to && this.#states[at & MASK] !== state) return false;
    this.#usable = false;
    return at < this.to;
  }

  record(at: number, state: number, byte: number): void {
    this.#states[at & MASK] = state;
    this.#bytes[at & MASK] = byte;
  }

  finish(to: number, state: number, end: number): void {
    this.to = to;
    this.state = state;
    this.end = end;
  }

  /** Invalidates the memo when the states are renumbered. */
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
