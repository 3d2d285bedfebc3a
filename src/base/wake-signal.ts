/** A timer of more ends at once. Who waits so long may as well look once before. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

/** Lets sleepers wait for news or for time to pass, whichever comes first. */
export class WakeSignal {
  readonly #waiters = new Set<() => void>();

  notifyAll(): void {
    for (const wake of this.#waiters) wake();
  }

  wait(ms: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer);
        this.#waiters.delete(wake);
        signal?.removeEventListener('abort', wake);
        resolve();
      };
      const timer = setTimeout(wake, Math.min(ms, MAX_TIMEOUT_MS));
      this.#waiters.add(wake);
      signal?.addEventListener('abort', wake);
    });
  }
}
