import type { WakeSignal } from '../base/wake-signal.ts';
import type { Database } from '../db/database.ts';
import type { Jobs } from '../engine/jobs/jobs.ts';
import type { ScanContextCache } from './scan-context.ts';
import type { LiveCounters } from './shard/live-counters.ts';

/** What the worker loops of a process have in common, whichever scans they run. For one scan: ScanContext; for one shard: ShardContext. */
export interface WorkerContext {
  readonly db: Database;
  readonly jobs: Jobs;
  readonly contexts: ScanContextCache;
  readonly live: LiveCounters;
  readonly ttlMs: number;
  readonly worker: string;
  /** The host affinity: folders of this machine are only scanned by its own workers. */
  readonly hostAffinity: string;
  /** What scans may require of a worker: the check value of its fingerprint key. */
  readonly offers: readonly string[];
  readonly concurrency: number;
  /** Minimum size of objects that are read by segments, if not the default. */
  readonly minSegmentedBytes?: number | undefined;
  readonly wakeSignal: WakeSignal;
  /** The threads have enough queued work. */
  readonly isBusy?: () => boolean;
  /** Called with the reason when a shard was requeued. */
  readonly onError: (scan: number, reason: string) => void;
}
