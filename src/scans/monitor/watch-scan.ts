/**
 * The progress of a scan as a stream of snapshots. Correctness depends on polling only; notifications just
 * make the next snapshot come sooner, so a lost notification, or a server that can't send any, delays it by
 * at most one interval. The last snapshot is that of the ended scan.
 */

import { SeineError } from '../../base/errors.ts';
import { withRetry } from '../../base/retry.ts';
import { WakeSignal } from '../../base/wake-signal.ts';
import type { Database } from '../../db/database.ts';
import { PROGRESS_CHANNEL } from './progress-channel.ts';
import { Rates } from './rates.ts';
import { readSnapshot, readWithoutScan, type SnapshotOptions } from './read-snapshot.ts';
import type { Estimate, ScanlessSnapshot, Snapshot } from './snapshot.ts';
import { scanToWatch } from './snapshot-store.ts';

export interface WatchOptions extends SnapshotOptions {
  readonly signal: AbortSignal;
  /** Maximum time between two snapshots. */
  readonly maxIntervalMs?: number;
  /** Minimum time between two snapshots: many workers send many notifications. */
  readonly minIntervalMs?: number;
}

/** Long enough for a failover, which may take minutes. */
const RETRY_TIMEOUT_MS = 600_000;
/**
 * Idle time as a multiple of the time of the last snapshot: bounds the load for large scans and slow
 * databases.
 */
const MIN_IDLE_FACTOR = 9;
const ENDED: ReadonlySet<string> = new Set(['completed', 'incomplete', 'failed', 'cancelled']);

export async function* watchScan(
  db: Database,
  scan: number,
  { signal, maxIntervalMs = 1000, minIntervalMs = 250, ...options }: WatchOptions,
): AsyncGenerator<Snapshot, void, undefined> {
  const rates = new Rates();
  const progress = new ProgressSignal();
  const stopListening = await listenForProgress(db, scan, progress);
  let estimate: Estimate | null = null;
  try {
    while (!signal.aborted) {
      progress.reset();
      const startedAt = performance.now();
      const read = () => readSnapshot(db, scan, { ...options, estimate });
      const snapshot = await withRetry(read, { forMs: RETRY_TIMEOUT_MS, signal });
      if (snapshot === null) throw new SeineError('not-found', `No scan ${scan}.`);
      const took = performance.now() - startedAt;
      yield rates.add(snapshot);
      if (hasEnded(snapshot)) return;
      // Totals of an earlier scan don't change any more.
      if (snapshot.estimate?.from === 'earlier scan') estimate = snapshot.estimate;
      await progress.wait(Math.max(minIntervalMs, MIN_IDLE_FACTOR * took), maxIntervalMs, signal);
    }
  } catch (error) {
    if (!signal.aborted) throw error; // after an abort errors of the database are irrelevant
  } finally {
    await stopListening();
  }
}

/** Until the tenant has a scan. */
export async function* watchWithoutScan(
  db: Database,
  tenant: string,
  { signal, maxIntervalMs = 1000, ...options }: WatchOptions,
): AsyncGenerator<ScanlessSnapshot, void, undefined> {
  const pause = new WakeSignal();
  try {
    while (!signal.aborted) {
      const begun = performance.now();
      const read = async () =>
        (await scanToWatch(db, tenant)) === null ? readWithoutScan(db, options) : null;
      const snapshot = await withRetry(read, { forMs: RETRY_TIMEOUT_MS, signal });
      if (snapshot === null) return;
      const took = performance.now() - begun;
      yield snapshot;
      await pause.wait(Math.max(maxIntervalMs, MIN_IDLE_FACTOR * took), signal);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

export function hasEnded({ scan }: Snapshot): boolean {
  return ENDED.has(scan.status);
}

/** Where listening is not possible (a pooler in between, no connection left), only polling is used. */
async function listenForProgress(
  db: Database,
  scan: number,
  progress: ProgressSignal,
): Promise<() => Promise<void>> {
  try {
    return await db.listen(PROGRESS_CHANNEL, (payload) => {
      if (payload === '' || payload === String(scan)) progress.notify();
    });
  } catch {
    return async () => {};
  }
}

/** A notification that arrives while nothing waits is kept for the next wait. */
class ProgressSignal {
  readonly #wakeSignal = new WakeSignal();
  #notified = false;

  notify(): void {
    this.#notified = true;
    this.#wakeSignal.notifyAll();
  }

  reset(): void {
    this.#notified = false;
  }

  async wait(minMs: number, maxMs: number, signal: AbortSignal): Promise<void> {
    await new WakeSignal().wait(minMs, signal);
    if (!this.#notified && maxMs > minMs) await this.#wakeSignal.wait(maxMs - minMs, signal);
  }
}
