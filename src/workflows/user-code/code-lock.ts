/**
 * Which user code may run concurrently in one process: a fair (FIFO) readers-writer lock. An attempt that counts against its workflow if the process
 * crashes holds the lock exclusively, so that no other user code can be the cause. All other user code shares it.
 *
 * Actions share it only while they start, since they may run for hours. A suspect action waits until no other action runs (actions/crash-suspects.ts).
 */
type Mode = 'shared' | 'exclusive';

interface Waiting {
  readonly mode: Mode;
  readonly admit: () => void;
}

export class CodeLock {
  #shared = 0;
  #exclusive = false;
  readonly #queue: Waiting[] = [];

  /** Others wait for the lock. */
  get isContended(): boolean {
    return this.#queue.length > 0;
  }

  /** Null: the lock was not free within `waitMs`, and `work` was not called. */
  async hold<T>(mode: Mode, work: () => Promise<T>, waitMs?: number): Promise<T | null> {
    const release = await this.acquire(mode, waitMs);
    if (release === null) return null;
    try {
      return await work();
    } finally {
      release();
    }
  }

  /** Returns the release function. */
  async acquire(mode: Mode, waitMs = Number.POSITIVE_INFINITY): Promise<(() => void) | null> {
    if (this.#queue.length === 0 && this.#isFree(mode)) this.#take(mode);
    else if (!(await this.#wait(mode, waitMs))) return null;
    let isHeld = true;
    return () => {
      if (isHeld) this.#release(mode);
      isHeld = false;
    };
  }

  #wait(mode: Mode, waitMs: number): Promise<boolean> {
    return new Promise((resolve) => {
      const waiting: Waiting = {
        mode,
        admit: () => {
          clearTimeout(timer);
          resolve(true);
        },
      };
      this.#queue.push(waiting);
      const onTimeout = () => {
        this.#queue.splice(this.#queue.indexOf(waiting), 1);
        this.#admitNext(); // those behind it may be compatible with the holders
        resolve(false);
      };
      const timer = Number.isFinite(waitMs) ? setTimeout(onTimeout, waitMs) : undefined;
    });
  }

  #isFree(mode: Mode): boolean {
    return !this.#exclusive && (mode === 'shared' || this.#shared === 0);
  }

  #take(mode: Mode): void {
    if (mode === 'shared') this.#shared++;
    else this.#exclusive = true;
  }

  #release(mode: Mode): void {
    if (mode === 'shared') this.#shared--;
    else this.#exclusive = false;
    this.#admitNext();
  }

  #admitNext(): void {
    while (this.#queue.length > 0 && this.#isFree(this.#queue[0]!.mode)) {
      const { mode, admit } = this.#queue.shift()!;
      this.#take(mode);
      admit();
    }
  }
}
