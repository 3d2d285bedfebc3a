/**
 * Determines the size of the source beside a running scan, for the progress display only. A folder is
 * listed by a separate thread, after a delay, so that a short scan never pays for it. Listing a store twice
 * would cost money and use up the scan's rate limit: there the plan's estimate is used, once it is
 * available.
 */
import { Worker } from 'node:worker_threads';
import type { Queryable } from '../../db/database.ts';
import { isLocal } from '../../sources/open.ts';
import type { ScanRow } from '../lifecycle/scan-store.ts';
import type { Scope } from '../lifecycle/scope.ts';
import { readEstimate } from './snapshot-store.ts';

export interface SourceTotals {
  readonly objects: number;
  readonly bytes: number;
  /** The listing is complete. */
  readonly final: boolean;
  /** An estimate instead of a count. */
  readonly estimated: boolean;
}

export interface BackgroundCount {
  totals(): SourceTotals | null;
  stop(): void;
}

const START_DELAY_MS = 700;
const POLL_INTERVAL_MS = 1000;
const THREAD_LIMITS = { maxYoungGenerationSizeMb: 2, maxOldGenerationSizeMb: 256 };

/** Lists a target until it is stopped, and reports the running totals. */
export type BackgroundLister = (
  target: string,
  scope: Scope,
  report: (totals: SourceTotals) => void,
) => () => void;

export function startBackgroundCount(
  db: Queryable,
  scan: Pick<ScanRow, 'id' | 'source'>,
  scope: Scope,
  lister: BackgroundLister = listInThread,
): BackgroundCount {
  return isLocal(scan.source) ? countByListing(scan.source, scope, lister) : readFromPlan(db, scan.id);
}

function countByListing(target: string, scope: Scope, lister: BackgroundLister): BackgroundCount {
  let totals: SourceTotals | null = null;
  let stop = () => {};
  const begin = () => {
    stop = lister(target, scope, (counted) => {
      totals = counted;
    });
  };
  const timer = setTimeout(begin, START_DELAY_MS);
  timer.unref();
  return {
    totals: () => totals,
    stop: () => {
      clearTimeout(timer);
      stop();
    },
  };
}

const listInThread: BackgroundLister = (target, scope, report) => {
  const worker = new Worker(new URL('./background-count-thread.ts', import.meta.url), {
    workerData: { target, scope },
    resourceLimits: THREAD_LIMITS,
  });
  worker.on('message', report);
  worker.on('error', () => {}); // the scan itself reports the error
  worker.unref();
  return () => void worker.terminate();
};

function readFromPlan(db: Queryable, scan: number): BackgroundCount {
  let totals: SourceTotals | null = null;
  const ask = async () => {
    const seen = await readEstimate(db, scan).catch(() => null); // the scan itself reports the error
    if (!seen) return;
    clearInterval(asking);
    totals = { objects: seen.objects.likely, bytes: seen.bytes?.likely ?? 0, final: false, estimated: true };
  };
  const asking = setInterval(() => void ask(), POLL_INTERVAL_MS);
  asking.unref();
  return { totals: () => totals, stop: () => clearInterval(asking) };
}
