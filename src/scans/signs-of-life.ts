/** While this process works on scans it says so now and then: the time counts as work, and whoever watches looks again. */
import type { Database } from '../db/database.ts';
import { tellProgress } from './monitor/progress-channel.ts';
import { scanSeen } from './scan-store.ts';

const EVERY_MS = 1000;

export class SignsOfLife {
  readonly #db: Database;
  readonly #shards = new Map<number, number>();
  readonly #timer: NodeJS.Timeout;

  constructor(db: Database, everyMs = EVERY_MS) {
    this.#db = db;
    this.#timer = setInterval(() => void this.#tell(), everyMs);
    this.#timer.unref();
  }

  /** A shard of the scan is being run until the work ends. */
  async during<T>(scan: number, work: () => Promise<T>): Promise<T> {
    this.#shards.set(scan, (this.#shards.get(scan) ?? 0) + 1);
    if (this.#shards.get(scan) === 1) await this.#seen(scan);
    try {
      return await work();
    } finally {
      const left = this.#shards.get(scan)! - 1;
      if (left > 0) this.#shards.set(scan, left);
      else this.#shards.delete(scan);
      if (left === 0) await this.#seen(scan);
    }
  }

  areOf(scan: number): boolean {
    return this.#shards.has(scan);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async #tell(): Promise<void> {
    for (const scan of this.#shards.keys()) await this.#seen(scan);
  }

  /** A thousand workers wake a watcher no more often than one. A database that is away hears it the next time. */
  async #seen(scan: number): Promise<void> {
    const isNews = await scanSeen(this.#db, scan).catch(() => false);
    if (isNews) await tellProgress(this.#db, scan).catch(() => {});
  }
}
