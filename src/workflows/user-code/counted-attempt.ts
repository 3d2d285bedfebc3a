/**
 * Attempts of user code that may crash the process. Each is counted before it is made, and runs alone; after too many, its subject is parked without
 * another one.
 *
 * A result or a failure of the code settles the count, in the transaction that records it. If the attempt ends in another error (an outage, a lost
 * lease), the process has survived and the code is not to blame: the count is taken back, or ordinary errors of the database would park healthy work.
 */
export interface CountedWork {
  /** The number of attempts so far, as read before. */
  readonly attempts: number;
  /** Committed before user code runs. Returns the number of attempts, including this one. */
  count(): Promise<number>;
  /** Must have no effect unless the number is `attempts` and the attempt was not settled: the answer to a commit may have been lost. */
  takeBack(attempts: number): Promise<void>;
}

export class CountedAttempt {
  readonly #max: number;
  #takeBack: (() => Promise<void>) | null = null;

  constructor(maxAttempts: number) {
    this.#max = maxAttempts;
  }

  /** `convict` instead of `attempt` if all earlier ones crashed the process. */
  async run<T>(
    work: CountedWork,
    attempt: (attempts: number) => Promise<T>,
    convict: (attempts: number) => Promise<T>,
  ): Promise<T> {
    try {
      const attempts = await this.next(work);
      if (attempts > this.#max) this.#takeBack = null;
      const result = await (attempts > this.#max ? convict(attempts) : attempt(attempts));
      this.#takeBack = null;
      return result;
    } catch (error) {
      await this.takeBack().catch(() => {}); // the next round repeats it
      throw error;
    }
  }

  /** Counts another attempt within `run`, after the one before was settled. If the answer is lost, it is not known whether it was counted. */
  async next(work: CountedWork): Promise<number> {
    this.#takeBack = () => work.takeBack(work.attempts + 1);
    const attempts = await work.count();
    this.#takeBack = () => work.takeBack(attempts);
    return attempts;
  }

  /** Called before each round, too: during an outage it fails like the attempt itself. */
  async takeBack(): Promise<void> {
    await this.#takeBack?.();
    this.#takeBack = null;
  }
}
