/**
 * Memory of the decoders of one object: windows, dictionaries, models. Nested decoders are all in use at the same time, so one limit
 * holds for their sum. It counts bytes in use, not sizes claimed by headers.
 *
 * Detection threads share the memory of the process. Each may always use OWN bytes; to use more, an object must hold LargeWindows, a
 * lock shared by all threads, and waits for it. There is no deadlock: the holder of the lock never waits for memory, and a waiting
 * thread holds at most OWN bytes. No object is refused because of another one.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { collectGarbage } from '../base/collect-garbage.ts';
import { Limit } from './obstacle.ts';

/** A dictionary of `xz -9` has 64 MB; a usual one of 8 MB may be inside of it. */
const OWN = 72 * 1024 * 1024;
const MUCH_GARBAGE = 16 * 1024 * 1024;
const LEAST = 64 * 1024;
const LOOK_MS = 50;

/** A lock shared by all detection threads: one of them at a time may use more than OWN bytes. */
export interface LargeWindows {
  /** Returns false while another thread holds it. */
  take(): boolean;
  giveBack(): void;
}

const ALONE: LargeWindows = { take: () => true, giveBack() {} };

export class WindowMemory {
  readonly #most: number;
  readonly #alive: () => void;
  readonly #large: LargeWindows;
  #held = 0;
  /** Not used any more, and not collected yet. */
  #garbage = 0;
  #isLarge = false;

  /** `alive`: called while it waits. */
  constructor(most: number, large: LargeWindows = ALONE, alive: () => void = () => {}) {
    this.#most = most;
    this.#large = large;
    this.#alive = alive;
  }

  get left(): number {
    return Math.max(0, this.#most - this.#held);
  }

  /** Whether this object holds the lock. */
  get isLarge(): boolean {
    return this.#isLarge;
  }

  window(): WindowBytes {
    return new WindowBytes(this);
  }

  /** False: there is not so much left. */
  async take(bytes: number): Promise<boolean> {
    if (bytes > this.left) return false;
    this.#held += bytes;
    if (this.#held + this.#garbage > (this.#isLarge ? this.#most : OWN)) this.#collect();
    if (this.#held > OWN) await this.#turn();
    return true;
  }

  giveBack(bytes: number, isGarbage: boolean): void {
    this.#held -= bytes;
    if (isGarbage) this.#garbage += bytes;
  }

  /** The object has ended. */
  close(): void {
    // An idle thread would keep it: nothing else makes it collect garbage.
    if (this.#garbage > MUCH_GARBAGE) this.#collect();
    if (!this.#isLarge) return;
    this.#isLarge = false;
    this.#large.giveBack();
  }

  async #turn(): Promise<void> {
    while (!this.#isLarge) {
      this.#isLarge = this.#large.take();
      if (this.#isLarge) return;
      this.#alive();
      await sleep(LOOK_MS);
    }
  }

  #collect(): void {
    if (this.#garbage > 0) collectGarbage();
    this.#garbage = 0;
  }
}

/** What one decoder uses. */
export class WindowBytes {
  readonly #memory: WindowMemory;
  #bytes = 0;

  constructor(memory: WindowMemory) {
    this.#memory = memory;
  }

  /** So many in all. False: there is not so much left; it has as much as before then. */
  async grow(to: number): Promise<boolean> {
    if (to <= this.#bytes) return true;
    if (!(await this.#memory.take(to - this.#bytes))) return false;
    this.#bytes = to;
    return true;
  }

  /** So many of `most` bytes are in use by now. Counted in steps, as this is asked after every piece. */
  async cover(used: number, most: number): Promise<void> {
    const needed = Math.min(used, most);
    if (needed <= this.#bytes) return;
    const step = Math.min(most, Math.max(needed, LEAST, 2 * this.#bytes));
    if (!(await this.grow(step)) && !(await this.grow(needed))) throw new Limit('dictionary');
  }

  /** `isGarbage`: the memory is free after the next garbage collection only. */
  release(isGarbage = false): void {
    this.#memory.giveBack(this.#bytes, isGarbage);
    this.#bytes = 0;
  }
}
