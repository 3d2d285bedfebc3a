/**
 * The progress of a scan as a stream of snapshots. Notifications only make the next one come sooner; polling is the
 * truth, so a lost notification, or a server that can't send any, costs at most one poll. The last snapshot is
 * that of the ended scan.
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
  /** Between two snapshots, at most. */
  readonly maxIntervalMs?: number;
  /** Between two snapshots, at least: many workers tell much. */
  readonly minIntervalMs?: number;
}

/** A failover may take minutes and is waited for. */
const RETRY_TIMEOUT_MS = 600_000;
/** Watching takes at most one part in so many of the time, however large the scan or slow the database. */
const MIN_IDLE_FACTOR = 9;
const ENDED: ReadonlySet<string> = new Set(['completed', 'incomplete', 'failed', 'cancelled']);

export async function* watchScan(
  db: Database,
  scan: number,
  { signal, maxIntervalMs = 1000, minIntervalMs = 250, ...options }: WatchOptions,
): AsyncGenerator<Snapshot, void, undefined> {
  const rates = new Rates();
  const news = new ProgressSignal();
  const stopListening = await listenForProgress(db, scan, news);
  let estimate: Estimate | null = null;
  try {
    while (!signal.aborted) {
      news.reset();
      const begun = performance.now();
      const read = () => readSnapshot(db, scan, { ...options, estimate });
      const snapshot = await withRetry(read, { forMs: RETRY_TIMEOUT_MS, signal });
      if (snapshot === null) throw new SeineError('not-found', `There is no scan ${scan}.`);
      const took = performance.now() - begun;
      yield rates.add(snapshot);
      if (hasEnded(snapshot)) return;
      // What an earlier scan met does not change any more.
      if (snapshot.estimate?.from === 'earlier scan') estimate = snapshot.estimate;
      await news.wait(Math.max(minIntervalMs, MIN_IDLE_FACTOR * took), maxIntervalMs, signal);
    }
  } catch (error) {
    if (!signal.aborted) throw error; // whoever has gone away need not know that the database did, too
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

/** Where nothing can be heard (a pooler between us and the server, no connection left), polling alone must do. */
async function listenForProgress(
  db: Database,
  scan: number,
  news: ProgressSignal,
): Promise<() => Promise<void>> {
  try {
    return await db.listen(PROGRESS_CHANNEL, (payload) => {
      if (payload === '' || payload === String(scan)) news.notify();
    });
  } catch {
    return async () => {};
  }
}

/** News that came while nobody waited are not lost. */
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
