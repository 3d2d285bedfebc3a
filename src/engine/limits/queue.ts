/** Requests that wait, in the order they came, and for how long there were any. */
interface Waiting {
  readonly pass: () => void;
  readonly refuse: (reason: unknown) => void;
}

export class Queue {
  readonly #waiting = new Set<Waiting>();
  #waitedMs = 0;
  #since = 0;

  get size(): number {
    return this.#waiting.size;
  }

  /** Milliseconds in which at least one waited. */
  get waitedMs(): number {
    return this.#waitedMs + (this.size > 0 ? performance.now() - this.#since : 0);
  }

  /** Resolves when it is passed; rejects when it is refused, or with the signal's reason. */
  join(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        pass: () => leave(resolve),
        refuse: (reason) => leave(() => reject(reason)),
      };
      const abort = () => waiting.refuse(signal.reason);
      const leave = (end: () => void) => {
        signal.removeEventListener('abort', abort);
        this.#remove(waiting);
        end();
      };
      signal.addEventListener('abort', abort);
      if (this.size === 0) this.#since = performance.now();
      this.#waiting.add(waiting);
    });
  }

  passFirst(): void {
    this.#waiting.values().next().value?.pass();
  }

  refuseAll(reason: unknown): void {
    for (const waiting of this.#waiting) waiting.refuse(reason);
  }

  #remove(waiting: Waiting): void {
    this.#waiting.delete(waiting);
    if (this.size === 0) this.#waitedMs += performance.now() - this.#since;
  }
}
