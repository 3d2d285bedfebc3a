/**
 * How a scan stands at one moment: plain JSON, for the terminal, for files and for the API. Fields are added, never
 * renamed. Ages are seconds by the database's clock; keys are as people see them.
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
  /** How much there is in all; null when nobody knows. */
  readonly estimate: Estimate | null;
  readonly rate: Rate;
  /** Null: too little is known, or the scan does not run. */
  readonly eta: TimeLeft | null;
  readonly shards: ShardCounts;
  /** Held shards whose cursor has stood still the longest. */
  readonly stillest: readonly HeldShard[];
  readonly deadLetters: DeadLetters;
  /** Webhooks and exports that wait to be run, the longest waiting first; none before the scan has ended. */
  readonly hooks: readonly WaitingHook[];
  /** Null: the scan has no budget. */
  readonly budget: readonly BudgetUsage[] | null;
  /** What happened to the scan lately, the latest last. */
  readonly events: readonly StoredScanEvent[];
}

export interface ScanProgress {
  readonly id: number;
  readonly source: string;
  readonly status: ScanStatus;
  readonly error: string | null;
  readonly round: number;
  readonly paused: boolean;
  /** Only workers that see this place can take part; null: all. */
  readonly place: string | null;
  /** Since it was asked for, until its end. */
  readonly elapsedSeconds: number;
  /** Without the time it lay interrupted. */
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
  /** What an earlier scan of the same source met is a comparison, not an interval. */
  readonly from: 'plan' | 'earlier scan';
  readonly objects: Spread;
  /** Null: objects are known to be there, not how large they are. */
  readonly bytes: Spread | null;
}

export interface Rate {
  readonly objectsPerSecond: number;
  readonly bytesPerSecond: number;
  /** Measured over so long: some ten seconds, or for the first snapshot all the time that the scan worked. */
  readonly overSeconds: number;
}

/** Seconds; `longest` null: at the slowest recent speed it would never end. */
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
  /** Of the waiting: not before a back-off is over. */
  readonly delayed: number;
  /** Of the held: the holder gave no sign for so long that anybody may take it. */
  readonly expired: number;
  /** Shards that were split from another. */
  readonly splits: number;
  /** Claims beyond each shard's first: after a loss, a failure, or an orderly hand-over. */
  readonly retries: number;
}

export interface HeldShard {
  readonly shard: number;
  readonly kind: ShardKind;
  readonly worker: string | null;
  readonly after: string;
  readonly cursor: string;
  /** Null: to the end of the source. */
  readonly upTo: string | null;
  readonly heldSeconds: number;
  /** Since the cursor moved, or since it was claimed. */
  readonly stillSeconds: number;
  /** Since its worker got on with anything; null when the worker is not in the registry. */
  readonly workerStillSeconds: number | null;
}

export interface DeadLetters {
  /** Open ones and those that are being retried. */
  readonly total: number;
  readonly lastMinute: number;
  /** The most frequent first. */
  readonly signatures: readonly { readonly signature: string; readonly count: number }[];
}

export interface WorkersNow {
  /** In the registry, seen within the hour or with a shard in hand. */
  readonly total: number;
  /** Of them: neither stale nor on their way out. */
  readonly ready: number;
  /** Have a shard of this scan in hand. */
  readonly holding: number;
  readonly draining: number;
  readonly stale: number;
  /** Checkpoints that came too late, of the workers that are registered now. */
  readonly refused: number;
  /** Stale ones, then those that hold shards of this scan, then the others; not all where there are many. */
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
  /** Its shards of this scan; a few of them where it has many. */
  readonly holds: readonly HeldShard[];
  readonly holding: number;
  readonly startedSeconds: number;
  readonly seenSeconds: number;
  readonly progressSeconds: number;
  /** Since it started. */
  readonly objects: number;
  readonly bytes: number;
  readonly waitedSeconds: number;
  /** In the last seconds; in the first snapshot since it started, on average. */
  readonly objectsPerSecond: number;
  readonly bytesPerSecond: number;
  /** Part of its time, 0 to 1, spent waiting for the rate limit. */
  readonly waiting: number;
}

/** What holds up workflows, and who runs them. */
export interface WorkflowsNow extends Health {
  readonly runners: RunnersNow;
}

export interface RunnersNow {
  readonly total: number;
  /** Have given no sign of life for long. */
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
  /** Null: nobody leads now. */
  readonly worker: string | null;
  readonly host: string | null;
  readonly pid: number | null;
  readonly sinceSeconds: number | null;
  /** Grows with every change of leaders. */
  readonly term: number;
}

export interface BudgetUsage {
  readonly what: 'requests' | 'bytes' | 'cost' | 'time';
  /** Time in seconds, cost in whole units of the currency. */
  readonly spent: number;
  readonly limit: number;
  readonly currency: string;
  /** Nothing more may be used. */
  readonly met: boolean;
}
