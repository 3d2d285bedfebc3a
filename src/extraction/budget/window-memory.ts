/**
 * Memory of the decoders of one object: windows, dictionaries, models. Nested decoders are all in use at the same time, so one limit
 * holds for their sum. It counts bytes in use, not sizes claimed by headers.
 *
 * Detection threads share the memory of the process. Each may always use OWN bytes; to use more, an object must hold LargeWindows, a
 * lock shared by all threads, and waits for it. There is no deadlock: the holder of the lock never waits for memory, and a waiting
 * thread holds at most OWN bytes. No object is refused because of another one.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { LimitExceeded } from '../extraction-error.ts';

/** A dictionary of `xz -9` has 64 MB; a usual one of 8 MB may be inside of it. */
const ALWAYS_ALLOWED_BYTES = 72 * 1024 * 1024;
const COLLECT_THRESHOLD_BYTES = 16 * 1024 * 1024;
const MIN_COUNT = 64 * 1024;
const POLL_INTERVAL_MS = 50;

/** A lock shared by all detection threads: one of them at a time may use more than OWN bytes. */
export interface LargeWindows {
  /** Returns false while another thread holds it. */
  tryAcquire(): boolean;
  release(): void;
}

const SINGLE_THREADED: LargeWindows = { tryAcquire: () => true, release() {} };

export class WindowMemory {
  readonly #max: number;
  readonly #alive: () => void;
  readonly #large: LargeWindows;
  #held = 0;
  /** Not used any more, and not collected yet. */
  #garbage = 0;
  #isLarge = false;

  /** `alive`: called while it waits. */
  constructor(max: number, large: LargeWindows = SINGLE_THREADED, alive: () => void = () => {}) {
    this.#max = max;
    this.#large = large;
    this.#alive = alive;
  }

  get left(): number {
    return Math.max(0, this.#max - this.#held);
  }

  /** Whether this object holds the lock. */
  get isLarge(): boolean {
    return this.#isLarge;
  }

  createWindow(): WindowBytes {
    return new WindowBytes(this);
  }

  /** Returns false if the limit would be exceeded. */
  async reserve(bytes: number): Promise<boolean> {
    if (bytes > this.left) return false;
    this.#held += bytes;
    if (this.#held + this.#garbage > (this.#isLarge ? this.#max : ALWAYS_ALLOWED_BYTES)) this.#collect();
    if (this.#held > ALWAYS_ALLOWED_BYTES) await this.#turn();
    return true;
  }

  release(bytes: number, isGarbage: boolean): void {
    this.#held -= bytes;
    if (isGarbage) this.#garbage += bytes;
  }

  /** The object has ended. */
  close(): void {
    // An idle thread would keep it: nothing else makes it collect garbage.
    if (this.#garbage > COLLECT_THRESHOLD_BYTES) this.#collect();
    if (!this.#isLarge) return;
    this.#isLarge = false;
    this.#large.release();
  }

  async #turn(): Promise<void> {
    while (!this.#isLarge) {
      this.#isLarge = this.#large.tryAcquire();
      if (this.#isLarge) return;
      this.#alive();
      await sleep(POLL_INTERVAL_MS);
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

  /** Grows the total to `to`. Returns false, unchanged, if the limit would be exceeded. */
  async grow(to: number): Promise<boolean> {
    if (to <= this.#bytes) return true;
    if (!(await this.#memory.reserve(to - this.#bytes))) return false;
    this.#bytes = to;
    return true;
  }

  /** Reserves for the `used` bytes so far, at most `max`. Counted in steps, because it is called after every chunk. */
  async cover(used: number, max: number): Promise<void> {
    const needed = Math.min(used, max);
    if (needed <= this.#bytes) return;
    const step = Math.min(max, Math.max(needed, MIN_COUNT, 2 * this.#bytes));
    if (!(await this.grow(step)) && !(await this.grow(needed))) throw new LimitExceeded('dictionary');
  }

  /** `isGarbage`: the memory is free after the next garbage collection only. */
  release(isGarbage = false): void {
    this.#memory.release(this.#bytes, isGarbage);
    this.#bytes = 0;
  }
}

/**
 * Runs a full garbage collection. Node only exposes `gc` when it is started with --expose-gc; a context
 * that is created after the flag was set has it, too. V8's own threads return the memory to the system a
 * few milliseconds later.
 */

let collect: (() => void) | null = null;

function collectGarbage(): void {
  if (collect === null) {
    setFlagsFromString('--expose-gc');
    collect = runInNewContext('gc') as () => void;
  }
  collect();
}
