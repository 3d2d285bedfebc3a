/**
 * How many objects a lane takes ahead of its threads: what they do in about half a second. What waits in a lane is begun, so that
 * nobody else can take it: on a slow store a fixed number would be many seconds of work that idle workers only look at.
 */
const AHEAD_MS = 500;
const WINDOW_MS = 200;

export class Flow {
  room: number;
  readonly #least: number;
  readonly #most: number;
  readonly #now: () => number;
  #since: number;
  #touched: number;
  #ended = 0;

  constructor(
    { least, most }: { readonly least: number; readonly most: number },
    now: () => number = () => performance.now(),
  ) {
    this.#least = Math.min(least, most);
    this.#most = most;
    this.#now = now;
    this.room = this.#least;
    this.#since = now();
    this.#touched = this.#since;
  }

  /** A pause in which there was nothing to do tells nothing about the speed. */
  begun(): void {
    const now = this.#now();
    if (now - this.#touched > AHEAD_MS) this.#measureFrom(now);
    this.#touched = now;
  }

  ended(): void {
    this.#ended++;
    const now = this.#now();
    this.#touched = now;
    const ms = now - this.#since;
    if (ms < WINDOW_MS && this.#ended < this.room) return;
    const wanted = Math.round((this.#ended / Math.max(1, ms)) * AHEAD_MS);
    this.room = Math.max(this.#least, Math.min(this.#most, wanted, this.room * 4));
    this.#measureFrom(now);
  }

  #measureFrom(now: number): void {
    this.#since = now;
    this.#ended = 0;
  }
}
