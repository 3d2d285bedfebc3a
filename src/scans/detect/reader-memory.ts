/**
 * Keeps the memory of the process tree (the main process with its threads, and their reader processes)
 * within its budget. Above it, reader processes are killed, idle ones first, then all but the largest,
 * which always continues: one document at a time can be read however little memory there is. The documents
 * of the others are read again when memory is available, so the results stay the same.
 */
import { readFileSync } from 'node:fs';
import { type Reader, SharedReaders } from '../../extraction/isolation/shared-readers.ts';

/** A reader allocates only some megabytes in that time, so the budget is exceeded little and briefly. */
const CHECK_INTERVAL_MS = 25;
/** Above this share no thread starts another document while one is read. */
const LOW_MEMORY_SHARE = 0.8;
const PAGE = 4096;
const MB = 1024 * 1024;

/** The default budget in megabytes: what threads and idle readers need, and a document at its limit. */
export function memoryFor(threads: number): number {
  return 384 + 256 * threads;
}

export interface MemoryMeter {
  ofThisProcess(): number;
  of(pid: number): number;
  kill(pid: number): void;
}

export class ReaderMemoryLimiter {
  readonly readers: SharedReaders;
  readonly #budget: number;
  readonly #meter: MemoryMeter;
  readonly #timer: NodeJS.Timeout;

  constructor(threads: number, megabytes: number, meter: MemoryMeter = SYSTEM) {
    this.readers = new SharedReaders(threads);
    this.#budget = megabytes * MB;
    this.#meter = meter;
    this.#timer = setInterval(() => this.enforce(), CHECK_INTERVAL_MS);
    this.#timer.unref();
  }

  enforce(): void {
    const readers = this.readers.all().map((reader) => ({ ...reader, bytes: this.#meter.of(reader.pid) }));
    let total = this.#meter.ofThisProcess() + readers.reduce((sum, { bytes }) => sum + bytes, 0);
    this.readers.isShort = total > this.#budget * LOW_MEMORY_SHARE;
    if (total <= this.#budget) return;
    for (const reader of evictionOrder(readers, this.readers.large)) {
      if (total <= this.#budget) return;
      this.readers.evict(reader);
      this.#meter.kill(reader.pid);
      total -= reader.bytes;
    }
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}

type Measured = Reader & { readonly bytes: number };

/**
 * The order in which readers are killed: idle ones, then by size, descending, but not the largest. While a
 * thread decompresses with large windows, its reader is the one that continues.
 */
function evictionOrder(readers: readonly Measured[], large: number | null): Measured[] {
  const alive = readers.filter(({ bytes }) => bytes > 0).sort((a, b) => b.bytes - a.bytes);
  const busy = alive.filter((reader) => reader.busy);
  const others = large === null ? busy.slice(1) : busy.filter(({ thread }) => thread !== large);
  return [...alive.filter((reader) => !reader.busy), ...others];
}

/** Without /proc, readers count as zero, and only their own limit applies. */
const SYSTEM: MemoryMeter = {
  ofThisProcess: () => process.memoryUsage.rss(),
  of(pid) {
    try {
      const [, resident, shared] = readFileSync(`/proc/${pid}/statm`, 'latin1').split(' ').map(Number);
      return (resident! - shared!) * PAGE;
    } catch {
      return 0;
    }
  },
  kill(pid) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {} // it has already ended
  },
};
