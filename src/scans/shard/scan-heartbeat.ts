/** While this process works on scans it says so now and then: the time counts as work, and whoever watches looks again. */
import type { Database } from '../../db/database.ts';
import { heartbeatScan } from '../lifecycle/scan-store.ts';
import { notifyProgress } from '../monitor/progress-channel.ts';

const INTERVAL_MS = 1000;

export class ScanHeartbeat {
  readonly #db: Database;
  readonly #shards = new Map<number, number>();
  readonly #timer: NodeJS.Timeout;

  constructor(db: Database, everyMs = INTERVAL_MS) {
    this.#db = db;
    this.#timer = setInterval(() => void this.#beatAll(), everyMs);
    this.#timer.unref();
  }

  /** A shard of the scan is being run until the work ends. */
  async track<T>(scan: number, fn: () => Promise<T>): Promise<T> {
    this.#shards.set(scan, (this.#shards.get(scan) ?? 0) + 1);
    if (this.#shards.get(scan) === 1) await this.#beat(scan);
    try {
      return await fn();
    } finally {
      const left = this.#shards.get(scan)! - 1;
      if (left > 0) this.#shards.set(scan, left);
      else this.#shards.delete(scan);
      if (left === 0) await this.#beat(scan);
    }
  }

  isActive(scan: number): boolean {
    return this.#shards.has(scan);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async #beatAll(): Promise<void> {
    for (const scan of this.#shards.keys()) await this.#beat(scan);
  }

  /** A thousand workers wake a watcher no more often than one. A database that is away hears it the next time. */
  async #beat(scan: number): Promise<void> {
    const isNews = await heartbeatScan(this.#db, scan).catch(() => false);
    if (isNews) await notifyProgress(this.#db, scan).catch(() => {});
  }
}
