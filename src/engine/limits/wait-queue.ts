/** A FIFO queue of waiting requests, and the time during which it was not empty. */
interface Waiter {
  readonly admit: () => void;
  readonly reject: (reason: unknown) => void;
}

export class WaitQueue {
  readonly #waiting = new Set<Waiter>();
  #waitedMs = 0;
  #since = 0;

  get size(): number {
    return this.#waiting.size;
  }

  /** Milliseconds in which at least one request waited. */
  get waitedMs(): number {
    return this.#waitedMs + (this.size > 0 ? performance.now() - this.#since : 0);
  }

  /** Resolves when the request is admitted; rejects when it is rejected, or with the signal's reason. */
  enqueue(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiting: Waiter = {
        admit: () => leave(resolve),
        reject: (reason) => leave(() => reject(reason)),
      };
      const abort = () => waiting.reject(signal.reason);
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

  admitFirst(): void {
    this.#waiting.values().next().value?.admit();
  }

  rejectAll(reason: unknown): void {
    for (const waiting of this.#waiting) waiting.reject(reason);
  }

  #remove(waiting: Waiter): void {
    this.#waiting.delete(waiting);
    if (this.size === 0) this.#waitedMs += performance.now() - this.#since;
  }
}
