import { readdirSync, readFileSync } from 'node:fs';
import type { ExtractionLimits } from '../budget/limits.ts';
import type { ReaderProcess } from './reader-process.ts';

const CHECK_INTERVAL_MS = 500;
/** A process that waits forever uses no CPU time; even on a very busy machine a working one gets some. */
const IDLE_SECONDS = 10;

/**
 * Kills a process that takes too long. Only the time counts in which we wait for it, not that in which it waits for us. Where the system
 * reports CPU time, that is used instead of wall-clock time: a document must not fail because the machine is busy.
 */
export class ReaderWatchdog {
  readonly #process: ReaderProcess;
  readonly #limits: () => ExtractionLimits;
  readonly #timer: NodeJS.Timeout;
  /** Wall clock, in ms. */
  #since: number | null = null;
  #worked = 0;
  /** CPU seconds of the process when it got the document, when it last sent output, and when it last made progress. */
  readonly #cpuAtStart: number;
  #cpuAtGift: number | null = null;
  #advance = { cpu: -1, at: performance.now() };

  /**
   * `limits`: called repeatedly, because the thread that processes the text uses the same time budget. `alive`: called periodically while
   * the process is watched.
   */
  constructor(process: ReaderProcess, limits: () => ExtractionLimits, alive: () => void) {
    this.#process = process;
    this.#limits = limits;
    this.#cpuAtStart = process.cpuSeconds;
    this.#timer = setInterval(
      () => {
        alive();
        this.#check();
      },
      Math.min(CHECK_INTERVAL_MS, limits().silentSeconds * 500),
    );
  }

  async during<T>(work: Promise<T>): Promise<T> {
    this.#since = performance.now();
    try {
      return await work;
    } finally {
      this.#worked += performance.now() - this.#since;
      this.#since = null;
      this.#cpuAtGift = null;
    }
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #check(): void {
    if (this.#since === null) {
      this.#advance.at = performance.now();
      return;
    }
    const silent = (performance.now() - this.#since) / 1000;
    const { silentSeconds, documentSeconds } = this.#limits();
    const worked = this.#worked / 1000 + silent;
    // It cannot have used more CPU time than time has passed; most documents are done long before.
    if (worked <= documentSeconds && silent <= Math.min(silentSeconds, IDLE_SECONDS)) return;
    const cpu = cpuSecondsOf(this.#process.pid);
    this.#cpuAtGift ??= cpu;
    if (this.#isIdle(cpu, silentSeconds) || this.#used(cpu, this.#cpuAtGift, silent) > silentSeconds)
      this.#process.kill('document reader hangs');
    else if (this.#used(cpu, this.#cpuAtStart, worked) > documentSeconds) this.#process.kill('limit: time');
  }

  #isIdle(cpu: number | null, silentSeconds: number): boolean {
    if (cpu === null) return false;
    if (cpu > this.#advance.cpu) this.#advance = { cpu, at: performance.now() };
    const idle = (performance.now() - this.#advance.at) / 1000;
    return idle > Math.min(silentSeconds, IDLE_SECONDS);
  }

  /** CPU seconds since then; where the system reports none, the time on the clock. */
  #used(cpu: number | null, before: number | null, elapsed: number): number {
    return cpu === null || before === null ? elapsed : cpu - before;
  }
}

/** Linux reports CPU time in units of 10 ms (USER_HZ), independent of the kernel's own tick rate. */
const TICKS_PER_SECOND = 100;

/** CPU seconds of a supervisor (start-command.ts) and the process it started; null: the system does not report them. */
function cpuSecondsOf(supervisor: number | undefined): number | null {
  if (supervisor === undefined) return null;
  try {
    const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
    const processes = pids
      .map(statOf)
      .filter(({ pid, parent }) => pid === supervisor || parent === supervisor);
    return processes.length === 0
      ? null
      : processes.reduce((sum, { ticks }) => sum + ticks, 0) / TICKS_PER_SECOND;
  } catch {
    return null;
  }
}

interface Stat {
  readonly pid: number;
  readonly parent: number;
  readonly ticks: number;
}

function statOf(name: string): Stat {
  try {
    // The program's name is in parentheses and may contain any characters.
    const fields = readFileSync(`/proc/${name}/stat`, 'latin1').split(') ').at(-1)!.split(' ');
    return { pid: Number(name), parent: Number(fields[1]), ticks: Number(fields[11]) + Number(fields[12]) };
  } catch {
    return { pid: Number(name), parent: -1, ticks: 0 }; // ended meanwhile
  }
}
