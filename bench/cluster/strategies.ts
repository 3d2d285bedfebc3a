/** Ways to share out a bucket among workers, on a simulated cluster. */
import { type PlanSettings, planProbes } from '../../src/scans/planning/plan-probes.ts';
import type { Bucket } from '../../src/sources/sim/bucket.ts';
import { Cluster } from './cluster.ts';
import { Costs } from './costs.ts';
import type { ClusterOptions } from './options.ts';
import type { ClusterOutcome } from './outcome.ts';

export interface Run {
  readonly bucket: Bucket;
  readonly workers: number;
  readonly seed: number;
  /** Mean lifetime of a worker in seconds; default: unlimited. */
  readonly lifetime?: number;
}

export const PLAN: PlanSettings = {
  minObjectsPerShard: 1000,
  maxInitialShards: 32,
  unknownShards: 4,
  listCalls: 128,
};

export function production(run: Run): ClusterOutcome {
  return cluster(run, { steals: true, plan: planProbes(PLAN) });
}

export const STRATEGIES: Readonly<Record<string, (run: Run) => ClusterOutcome>> = {
  /** Quantiles of the first ten thousand keys, before any worker starts. */
  'first keys': (run) => cluster(run, { steals: false, before: firstKeys(run.bucket, run.workers) }),

  /** Many shards, so that differences average out; idle workers stay idle. */
  'plan only': (run) =>
    cluster(run, { steals: false, plan: planProbes({ ...PLAN, maxInitialShards: 4 * run.workers }) }),

  'steal only': (run) => cluster(run, { steals: true }),

  /** A plan beside the first worker, and stealing. */
  production,
};

function cluster({ bucket, ...run }: Run, how: Pick<ClusterOptions, 'steals' | 'plan' | 'before'>) {
  return new Cluster(bucket, new Costs(run.seed), { ...run, ...how }).run();
}

const FIRST_KEYS = 10_000;

function firstKeys(bucket: Bucket, parts: number) {
  const sampled = Math.min(FIRST_KEYS, bucket.count);
  const keys = Array.from({ length: parts - 1 }, (_, i) =>
    bucket.keyAt(Math.floor(((i + 1) * sampled) / parts)),
  );
  return { splitPoints: [...new Set(keys)], calls: Math.ceil(sampled / 1000) };
}
