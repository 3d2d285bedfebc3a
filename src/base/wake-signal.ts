/** Longer `setTimeout` delays fire at once, so waits are capped here and may wake early. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

/** Condition variable with a timeout: waiters resume on `notifyAll` or after the timeout. */
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
