/**
 * The reader processes of all detection threads, in memory that the threads share with the main thread: their process ids, and which
 * of them reads a document. The main thread measures them and ends some when all together use too much memory (reader-memory.ts of
 * scans/detect). A document whose process was ended for that reason is read again when memory is free; it does not count as failed.
 * Also records which thread decompresses with large windows (window-memory.ts).
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { LargeWindows } from '../budget/window-memory.ts';

const SHORT = 0;
const LARGE = 1;
const SHARED = 2; // cells of all threads, before those of each
const PID = 0;
const BUSY = 1;
const EVICTED = 2;
const CELLS = 3; // for each thread
const POLL_INTERVAL_MS = 50;

/** The thread's view of it. */
export interface MemoryShare {
  started(pid: number): void;
  ended(): void;
  /** It begins or has ended a document. */
  busy(is: boolean): void;
  wasEvicted(pid: number): boolean;
  /** Resolves when another document may be begun. `alive`: called while it waits. */
  room(alive: () => void): Promise<void>;
  readonly largeWindows: LargeWindows;
}

export interface Reader {
  readonly thread: number;
  readonly pid: number;
  readonly busy: boolean;
}

export class SharedReaders {
  readonly buffer: SharedArrayBuffer;
  readonly #cells: Int32Array; // SHORT: not 0 while memory is short; LARGE: one more than the thread's number, or 0

  constructor(threads: number | SharedArrayBuffer) {
    this.buffer =
      typeof threads === 'number' ? new SharedArrayBuffer(4 * (SHARED + CELLS * threads)) : threads;
    this.#cells = new Int32Array(this.buffer);
  }

  get isShort(): boolean {
    return Atomics.load(this.#cells, SHORT) !== 0;
  }

  set isShort(short: boolean) {
    Atomics.store(this.#cells, SHORT, short ? 1 : 0);
  }

  /** The thread that decompresses with large windows. */
  get large(): number | null {
    const thread = Atomics.load(this.#cells, LARGE) - 1;
    return thread < 0 ? null : thread;
  }

  all(): Reader[] {
    const threads = Array.from({ length: (this.#cells.length - SHARED) / CELLS }, (_, thread) => thread);
    return threads
      .map((thread) => ({ thread, pid: this.#get(thread, PID), busy: this.#get(thread, BUSY) !== 0 }))
      .filter(({ pid }) => pid !== 0);
  }

  /** Must be called before it is killed, so that its thread knows the reason. */
  evict({ thread, pid }: Reader): void {
    this.#set(thread, EVICTED, pid);
  }

  /** A thread has ended, and its process with it. */
  clear(thread: number): void {
    for (const cell of [PID, BUSY, EVICTED]) this.#set(thread, cell, 0);
    this.#releaseLarge(thread);
  }

  share(thread: number): MemoryShare {
    return {
      started: (pid) => this.#set(thread, PID, pid),
      ended: () => this.#set(thread, PID, 0),
      busy: (is) => this.#set(thread, BUSY, is ? 1 : 0),
      wasEvicted: (pid) => this.#get(thread, EVICTED) === pid,
      room: async (alive) => {
        const wasEvicted = this.#get(thread, EVICTED) !== 0;
        while (this.#isBusyBeside(thread) || (wasEvicted && this.#hasLargeBeside(thread))) {
          alive();
          await sleep(POLL_INTERVAL_MS);
        }
        this.#set(thread, EVICTED, 0);
      },
      largeWindows: {
        tryAcquire: () => Atomics.compareExchange(this.#cells, LARGE, 0, thread + 1) === 0,
        release: () => this.#releaseLarge(thread),
      },
    };
  }

  #isBusyBeside(thread: number): boolean {
    return this.isShort && this.all().some((other) => other.busy && other.thread !== thread);
  }

  /** Its memory would be too little again. */
  #hasLargeBeside(thread: number): boolean {
    return this.large !== null && this.large !== thread;
  }

  #releaseLarge(thread: number): void {
    Atomics.compareExchange(this.#cells, LARGE, thread + 1, 0);
  }

  #get(thread: number, cell: number): number {
    return Atomics.load(this.#cells, SHARED + thread * CELLS + cell);
  }

  #set(thread: number, cell: number, value: number): void {
    Atomics.store(this.#cells, SHARED + thread * CELLS + cell, value);
  }
}
