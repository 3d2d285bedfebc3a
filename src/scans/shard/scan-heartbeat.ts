/**
 * Records periodically that this process works on its scans: the time counts as work, and watchers are
 * notified.
 */
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

  /** A shard of the scan is run from now on, until `end`. */
  async begin(scan: number): Promise<void> {
    const running = (this.#shards.get(scan) ?? 0) + 1;
    this.#shards.set(scan, running);
    if (running === 1) await this.#beat(scan);
  }

  async end(scan: number): Promise<void> {
    const running = this.#shards.get(scan)! - 1;
    if (running > 0) this.#shards.set(scan, running);
    else this.#shards.delete(scan);
    if (running === 0) await this.#beat(scan);
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

  /**
   * At most one heartbeat per scan and interval, however many workers. Errors are ignored: the next one may
   * succeed.
   */
  async #beat(scan: number): Promise<void> {
    const isNews = await heartbeatScan(this.#db, scan).catch(() => false);
    if (isNews) await notifyProgress(this.#db, scan).catch(() => {});
  }
}
