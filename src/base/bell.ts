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
      const timer = setTimeout(wake, ms);
      this.#sleepers.add(wake);
      signal?.addEventListener('abort', wake);
    });
  }
}
