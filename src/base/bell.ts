/** A timer of more ends at once. Who waits so long may as well look once before. */
const LONGEST_MS = 2 ** 31 - 1;

/** Lets sleepers wait for news or for time to pass, whichever comes first. */
export class Bell {
  readonly #sleepers = new Set<() => void>();

  ring(): void {
    for (const wake of this.#sleepers) wake();
  }

  wait(ms: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer);
        this.#sleepers.delete(wake);
        signal?.removeEventListener('abort', wake);
        resolve();
      };
      const timer = setTimeout(wake, Math.min(ms, LONGEST_MS));
      this.#sleepers.add(wake);
      signal?.addEventListener('abort', wake);
    });
  }
}
