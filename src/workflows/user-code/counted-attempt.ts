/**
 * An attempt of user code that was counted before it was made, because it may crash the process. If it ends in a result or a failure of the code, the
 * count is settled with it. If it ends in another error (an outage, a lost lease), the process has survived and the code is not to blame: the count
 * is taken back, or ordinary errors of the database would park healthy work.
 */
export class CountedAttempt {
  #takeBack: (() => Promise<void>) | null = null;

  /** `takeBack` must have no effect once the attempt was settled: the answer to a commit may have been lost. */
  counted(takeBack: () => Promise<void>): void {
    this.#takeBack = takeBack;
  }

  async during<T>(attempt: () => Promise<T>): Promise<T> {
    try {
      const result = await attempt();
      this.#takeBack = null;
      return result;
    } catch (error) {
      await this.takeBack().catch(() => {}); // the next round repeats it
      throw error;
    }
  }

  /** Called before each round, too: during an outage it fails like the attempt itself. */
  async takeBack(): Promise<void> {
    await this.#takeBack?.();
    this.#takeBack = null;
  }
}
