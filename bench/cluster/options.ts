/** Options of a simulated cluster, and its durations. */
import type { Key } from '../../src/base/key.ts';
import type { ProbePlan } from '../../src/scans/planning/probing.ts';
import type { SplitHint } from '../../src/scans/planning/split-hint.ts';
import type { Bucket } from '../../src/sources/sim/bucket.ts';
import type { Costs } from './costs.ts';
import type { EventQueue } from './event-queue.ts';

export const LIST_S = 0.08;
export const QUERY_S = 0.005;

/** Cuts, and what is expected of each part. */
export interface Cuts {
  readonly splitPoints: readonly Key[];
  readonly hints: readonly (SplitHint | null)[];
}

export interface ClusterOptions {
  readonly workers: number;
  readonly seed: number;
  readonly steals: boolean;
  /** Runs beside the first worker. */
  readonly plan?: ProbePlan<Cuts>;
  /** Computed before any worker starts, after this many sequential listing requests. */
  readonly before?: { readonly splitPoints: readonly Key[]; readonly calls: number };
  /** Seconds that a worker lives, in the mean. */
  readonly lifetime?: number;
}

/** The source, independent of its workers. */
export interface World {
  readonly bucket: Bucket;
  readonly costs: Costs;
  readonly queue: EventQueue;
  readonly options: ClusterOptions;
}
