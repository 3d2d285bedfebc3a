/**
 * Attempts of user code that may crash the process. Each is counted before it is made, and runs alone; after too many, its subject is parked without
 * another one.
 *
 * A result or a failure of the code settles the count, in the transaction that records it. If the attempt ends in another error (an outage, a lost
 * lease), the process has survived and the code is not to blame: the count is undone, or ordinary errors of the database would park healthy work.
 */
export interface AttemptCounter {
  /** The number of attempts so far, as read before. */
  readonly attempts: number;
  /** Committed before user code runs. Returns the number of attempts, including this one. */
  count(): Promise<number>;
  /** Must have no effect unless the number is `attempts` and the attempt was not settled: the answer to a commit may have been lost. */
  uncount(attempts: number): Promise<void>;
}

export class CountedAttempt {
  readonly #max: number;
  #uncount: (() => Promise<void>) | null = null;

  constructor(maxAttempts: number) {
    this.#max = maxAttempts;
  }

  /** Calls `onLimit` instead of `attempt` if all earlier attempts crashed the process. */
  async run<T>(
    work: AttemptCounter,
    attempt: (attempts: number) => Promise<T>,
    onLimit: (attempts: number) => Promise<T>,
  ): Promise<T> {
    try {
      const attempts = await this.next(work);
      if (attempts > this.#max) this.#uncount = null;
      const result = await (attempts > this.#max ? onLimit(attempts) : attempt(attempts));
      this.#uncount = null;
      return result;
    } catch (error) {
      await this.uncount().catch(() => {}); // the next round repeats it
      throw error;
    }
  }

  /** Counts another attempt within `run`, after the one before was settled. If the answer is lost, it is not known whether it was counted. */
  async next(work: AttemptCounter): Promise<number> {
    this.#uncount = () => work.uncount(work.attempts + 1);
    const attempts = await work.count();
    this.#uncount = () => work.uncount(attempts);
    return attempts;
  }

  /** Called before each round, too: during an outage it fails like the attempt itself. */
  async uncount(): Promise<void> {
    await this.#uncount?.();
    this.#uncount = null;
  }
}
