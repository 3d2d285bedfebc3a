/**
 * The state of a scan at one moment: plain JSON, for the terminal, for files and for the API. Fields may be
 * added but are never renamed. Ages are seconds by the database's clock; keys are in display form.
 */
import type { Health } from '../../workflows/queries/health.ts';
import type { WaitingHook } from '../hooks/waiting-store.ts';
import type { StoredScanEvent } from '../lifecycle/scan-event-store.ts';
import type { ObjectOutcome, ScanStatus } from '../results/report.ts';
import type { ShardKind } from '../shard/shard-store.ts';

/** What there is to know of the database with and without a scan. */
export interface Surroundings {
  /** By the database's clock, ISO 8601. */
  readonly at: string;
  readonly workers: WorkersNow;
  /** Null: this database has never had a leader. */
  readonly leader: Leadership | null;
  readonly connections: { readonly used: number; readonly most: number };
  readonly workflows: WorkflowsNow;
}

/** Where there has been no scan: workflows run without any. */
export interface ScanlessSnapshot extends Surroundings {
  readonly scan: null;
}

export interface Snapshot extends Surroundings {
  readonly scan: ScanProgress;
  readonly done: Done;
  /** The estimated total; null if unknown. */
  readonly estimate: Estimate | null;
  readonly rate: Rate;
  /** Null: too little is known, or the scan is not running. */
  readonly eta: TimeLeft | null;
  readonly shards: ShardCounts;
  /** Held shards whose cursor has not moved for the longest time. */
  readonly stillest: readonly HeldShard[];
  readonly deadLetters: DeadLetters;
  /** Webhooks and exports that wait to be run, the longest waiting first; none before the scan has ended. */
  readonly hooks: readonly WaitingHook[];
  /** Null: the scan has no budget. */
  readonly budget: readonly BudgetUsage[] | null;
  /** Recent events of the scan, the latest last. */
  readonly events: readonly StoredScanEvent[];
}

export interface ScanProgress {
  readonly id: number;
  readonly source: string;
  readonly status: ScanStatus;
  readonly error: string | null;
  readonly round: number;
  readonly paused: boolean;
  /** Only workers on this host may claim; null: all. */
  readonly place: string | null;
  /** Since submission, until its end. */
  readonly elapsedSeconds: number;
  /** Without the time it was interrupted. */
  readonly workedSeconds: number;
}

export interface Amount {
  readonly objects: number;
  readonly bytes: number;
}

export interface Done extends Amount {
  readonly outcomes: Readonly<Record<ObjectOutcome, Amount>>;
}

export interface Spread {
  readonly low: number;
  readonly likely: number;
  readonly high: number;
}

export interface Estimate {
  /** `earlier scan`: the totals of an earlier scan of the same source; a comparison, not an interval. */
  readonly from: 'plan' | 'earlier scan';
  readonly objects: Spread;
  /** Null: the number of objects is known, but not their size. */
  readonly bytes: Spread | null;
}

export interface Rate {
  readonly objectsPerSecond: number;
  readonly bytesPerSecond: number;
  /** Length of the measured interval: about ten seconds, or for the first snapshot the whole time worked. */
  readonly overSeconds: number;
}

/** Seconds; `longest` null: unbounded at the lowest recent speed. */
export interface TimeLeft {
  readonly shortest: number;
  readonly longest: number | null;
}

export interface ShardCounts {
  readonly waiting: number;
  readonly held: number;
  readonly done: number;
  readonly failed: number;
  readonly cancelled: number;
  /** Of the waiting: in back-off. */
  readonly delayed: number;
  /** Of the held: the lease has expired, so that any worker may claim it. */
  readonly expired: number;
  /** Shards that were split from another. */
  readonly splits: number;
  /** Claims beyond each shard's first: after a loss, a failure, or an orderly release. */
  readonly retries: number;
}

export interface HeldShard {
  readonly shard: number;
  readonly kind: ShardKind;
  readonly worker: string | null;
  readonly after: string;
  readonly cursor: string;
  /** Null: up to the end of the source. */
  readonly upTo: string | null;
  readonly heldSeconds: number;
  /** Since the cursor moved, or since the claim. */
  readonly stillSeconds: number;
  /** Since its worker made progress; null when the worker is not in the registry. */
  readonly workerStillSeconds: number | null;
}

export interface DeadLetters {
  /** Open ones and those being retried. */
  readonly total: number;
  readonly lastMinute: number;
  /** The most frequent first. */
  readonly signatures: readonly { readonly signature: string; readonly count: number }[];
}

export interface WorkersNow {
  /** In the registry, with a heartbeat within the hour or holding a shard. */
  readonly total: number;
  /** Of them: neither stale nor draining. */
  readonly ready: number;
  /** Hold a shard of this scan. */
  readonly holding: number;
  readonly draining: number;
  readonly stale: number;
  /** Fenced checkpoints of the workers registered now. */
  readonly refused: number;
  /** Stale ones, then those that hold shards of this scan, then the others; truncated if there are many. */
  readonly list: readonly WorkerStatus[];
}

export interface WorkerStatus {
  readonly id: string;
  readonly host: string;
  readonly pid: number;
  readonly version: string;
  readonly threads: number;
  readonly hands: number;
  readonly draining: boolean;
  readonly stale: boolean;
  /** Its shards of this scan; truncated if there are many. */
  readonly holds: readonly HeldShard[];
  readonly holding: number;
  readonly startedSeconds: number;
  readonly seenSeconds: number;
  readonly progressSeconds: number;
  /** Since it started. */
  readonly objects: number;
  readonly bytes: number;
  readonly waitedSeconds: number;
  /** Over the last seconds; in the first snapshot the average since its start. */
  readonly objectsPerSecond: number;
  readonly bytesPerSecond: number;
  /** Share of its time, 0 to 1, spent waiting for the rate limit. */
  readonly waiting: number;
}

/** What holds up workflows, and who runs them. */
export interface WorkflowsNow extends Health {
  readonly runners: RunnersNow;
}

export interface RunnersNow {
  readonly total: number;
  /** Without a heartbeat for longer than the stale threshold. */
  readonly stale: number;
  /** Stale ones first; not all where there are many. */
  readonly list: readonly RunnerNow[];
}

export interface RunnerNow {
  readonly id: string;
  readonly host: string;
  readonly pid: number;
  readonly version: string;
  readonly workflows: readonly string[];
  /** Parts of all its workflows that it holds. */
  readonly parts: number;
  /** Actions that it runs. */
  readonly actions: number;
  readonly stale: boolean;
  readonly startedSeconds: number;
  readonly seenSeconds: number;
}

export interface Leadership {
  /** Null: there is no leader now. */
  readonly worker: string | null;
  readonly host: string | null;
  readonly pid: number | null;
  readonly sinceSeconds: number | null;
  /** Increases with every change of the leader. */
  readonly term: number;
}

export interface BudgetUsage {
  readonly what: 'requests' | 'bytes' | 'cost' | 'time';
  /** Time in seconds, cost in whole units of the currency. */
  readonly spent: number;
  readonly limit: number;
  readonly currency: string;
  /** The limit is exhausted. */
  readonly met: boolean;
}
