import type { ExtractionLimits } from '../limits.ts';
import type { DocumentProcess } from './document-process.ts';

const LOOK_EVERY_MS = 500;

/** Ends a process that takes too long. Only the time counts in which we wait for it, not that in which it waits for us. */
export class Watch {
  readonly #process: DocumentProcess;
  readonly #limits: ExtractionLimits;
  readonly #timer: NodeJS.Timeout;
  #since: number | null = null;
  #worked = 0;

  /** `alive`: told now and then that somebody watches. */
  constructor(process: DocumentProcess, limits: ExtractionLimits, alive: () => void) {
    this.#process = process;
    this.#limits = limits;
    this.#timer = setInterval(
      () => {
        alive();
        this.#look();
      },
      Math.min(LOOK_EVERY_MS, limits.silentSeconds * 500),
    );
  }

  async during<T>(work: Promise<T>): Promise<T> {
    this.#since = performance.now();
    try {
      return await work;
    } finally {
      this.#worked += performance.now() - this.#since;
      this.#since = null;
    }
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    if (this.#since === null) return;
    const silent = performance.now() - this.#since;
    const { silentSeconds, documentSeconds } = this.#limits;
    if (silent > silentSeconds * 1000) this.#process.kill('document reader hangs');
    else if (this.#worked + silent > documentSeconds * 1000) this.#process.kill('limit: time');
  }
}
